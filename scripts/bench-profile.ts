/** Where the time of a run goes, by its CPU profile. */
import { readFile } from 'node:fs/promises';

export const activities = [
  'start-up',
  'waiting',
  'reading',
  'decoding',
  'evaluating',
  'writing',
  'collecting garbage',
  'other',
] as const;
type Activity = (typeof activities)[number];
/** Parts of the whole time, from 0 to 1. */
export type Shares = Readonly<Record<Activity, number>>;

/** As V8 writes it. */
interface Profile {
  readonly nodes: readonly ProfileNode[];
  readonly samples: readonly number[];
  readonly timeDeltas: readonly number[];
}
interface ProfileNode {
  readonly id: number;
  readonly callFrame: { readonly functionName: string; readonly url: string };
  readonly children?: readonly number[];
}

/** The innermost call that says what is being done decides. */
const marks: readonly (readonly [Activity, RegExp])[] = [
  ['waiting', /^\(idle\)/],
  ['collecting garbage', /^\(garbage collector\)/],
  ['start-up', /node:internal\/(modules|bootstrap|main|process\/execution)/],
  ['decoding', /\/(cluster\/(page|protobuf|protobuf-fields)|core\/(read|shape))\.[jt]s$/],
  ['reading', /\/cluster\/|\/undici\/|node:(net|_tls|internal\/(stream|tls|net))/],
  ['writing', /\/reports\/(?!recorder|guard)|\/cli\/(write|output)|\/suites\/report\./],
  ['evaluating', /\/(core|checks|suites|exceptions|reports)\/|\/mocha\//],
];

export async function sharesOf(file: string): Promise<Shares> {
  const profile: Profile = JSON.parse(await readFile(file, 'utf8'));
  const activityOf = activitiesOf(profile.nodes);
  const times = Object.fromEntries(activities.map((activity) => [activity, 0]));
  let total = 0;
  for (const [index, id] of profile.samples.entries()) {
    // What stands at a sample is the time since the one before.
    const time = Math.max(profile.timeDeltas[index + 1] ?? 0, 0);
    const activity = activityOf.get(id) ?? 'other';
    times[activity] = (times[activity] ?? 0) + time;
    total += time;
  }
  const shares = activities.map((activity) => [activity, (times[activity] ?? 0) / total]);
  return Object.fromEntries(shares) as Shares; // one entry per activity
}

function activitiesOf(nodes: readonly ProfileNode[]): ReadonlyMap<number, Activity> {
  const found = new Map<number, Activity>();
  const byId = new Map(nodes.map((node) => [node.id, node]));
  const visit = (node: ProfileNode, inherited: Activity) => {
    const { functionName, url } = node.callFrame;
    const frame = url || functionName;
    const activity = marks.find(([, mark]) => mark.test(frame))?.[0] ?? inherited;
    found.set(node.id, activity);
    for (const id of node.children ?? []) {
      const child = byId.get(id);
      if (child) visit(child, activity);
    }
  };
  const [root] = nodes;
  if (root) visit(root, 'other');
  return found;
}
