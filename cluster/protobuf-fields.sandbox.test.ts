import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { before, describe, it } from 'mocha';
import type { Field as Message } from 'protobufjs';
import { MapField, parse, Root, Type } from 'protobufjs';
import type { KindInfo } from '../core/kinds.ts';
import { kindNames, kinds } from '../core/kinds.ts';
import type { Field, Shape } from '../core/shape.ts';
import { fetchFiles } from '../sandbox/modules.ts';

const machinery = 'k8s.io.apimachinery.pkg';
const meta = `${machinery}.apis.meta.v1`;

/** Where Kubernetes keeps its own description of what is on the wire: the folders of three modules. */
const folders = {
  'k8s.io/api': [
    'admissionregistration/v1',
    'admissionregistration/v1beta1',
    'apps/v1',
    'autoscaling/v1',
    'autoscaling/v2',
    'batch/v1',
    'batch/v1beta1',
    'coordination/v1',
    'core/v1',
    'discovery/v1',
    'networking/v1',
    'policy/v1',
    'policy/v1beta1',
    'scheduling/v1',
  ],
  'k8s.io/apimachinery': ['pkg/api/resource', 'pkg/apis/meta/v1', 'pkg/runtime', 'pkg/util/intstr'],
  'k8s.io/kube-aggregator': ['pkg/apis/apiregistration/v1'],
} as const;

/** The message that is the object of a kind in one of its versions. */
function messageOf({ group, kind, metadataOnly }: KindInfo, version: string): string {
  if (metadataOnly) return `${meta}.PartialObjectMetadata`;
  if (kind === 'APIService') {
    return `k8s.io.kube_aggregator.pkg.apis.apiregistration.${version}.APIService`;
  }
  const folder = group === '' ? 'core' : group.replace(/\..*/, '');
  return `k8s.io.api.${folder}.${version}.${kind}`;
}

/** The fields that have another name in Protobuf than in JSON. */
const renamed: Readonly<Record<string, string>> = { webhooks: 'Webhooks' };

/** What a newer version has. */
const later: ReadonlySet<string> = new Set([
  'HorizontalPodAutoscaler.status.conditions: .k8s.io.api.autoscaling.v1.HorizontalPodAutoscalerStatus has no such field',
]);

/** The type that a field of a shape has in a .proto file; of a message any will do that has its fields. */
const types: Readonly<Record<Field['type'], RegExp>> = {
  text: /^string$/,
  texts: /^repeated string$/,
  int: /^int(32|64)$/,
  optionalInt: /^int(32|64)$/,
  bool: /^bool$/,
  optionalBool: /^bool$/,
  time: /\.meta\.v1\.(Micro)?Time$/,
  intOrString: /\.intstr\.IntOrString$/,
  textMap: /^map<string, string>$/,
  timeMap: /^map<string, \.k8s\..*\.Time>$/,
  quantityMap: /^map<string, \.k8s\..*\.Quantity>$/,
  presence: /^k8s\./,
  object: /^k8s\./,
  inline: /^k8s\./,
  list: /^repeated k8s\./,
};

function typeOf(field: Message): string {
  if (field instanceof MapField) return `map<${field.keyType}, ${field.type}>`;
  const name = field.resolvedType?.fullName.slice(1) ?? field.type;
  return field.repeated ? `repeated ${name}` : name;
}

describe('the Protobuf numbers of the shapes', () => {
  const root = new Root();
  /** Go's structs, by the names of their messages: which of their fields are pointers. */
  const pointers = new Map<string, ReadonlySet<string>>();
  before(async function () {
    this.timeout(600_000); // Downloaded on the first run.
    const progress = (line: string) => void process.stderr.write(`${line}\n`);
    for (const [path, own] of Object.entries(folders)) {
      const files = own.flatMap((folder) => [
        `${folder}/generated.proto`,
        ...(folder.endsWith('intstr') || folder.endsWith('resource') ? [] : [`${folder}/types.go`]),
      ]);
      const module = { folder: 'kubernetes', path, files };
      const directory = await fetchFiles(module, { env: process.env, progress });
      for (const file of files) {
        const text = await readFile(join(directory, file), 'utf8');
        if (file.endsWith('.proto')) parse(text, root, { keepCase: true });
        else readStructs(`${path}/${file}`, text);
      }
    }
    root.resolveAll();
  });

  function readStructs(file: string, text: string): void {
    const name = file.replace('/types.go', '').replaceAll('/', '.').replaceAll('-', '_');
    for (const [, struct, body = ''] of text.matchAll(/^type (\w+) struct \{\n(.*?)^\}/gms)) {
      const own = [...body.matchAll(/^\t\w+\s+\*.*protobuf:"[^"]*name=(\w+)/gm)];
      pointers.set(`${name}.${struct}`, new Set(own.map(([, field = '']) => field)));
    }
  }

  /** What is wrong with a shape, if it is to be read from this message. */
  function faults(shape: Shape, message: Type, path: string): readonly string[] {
    return Object.entries(shape).flatMap(([json, field]) => {
      const at = `${path}.${json}`;
      const name = renamed[json] ?? json;
      const found = message.fields[name];
      if (!found) return [`${at}: ${message.fullName} has no such field`];
      const type = typeOf(found);
      const isPointer = pointers.get(message.fullName.slice(1))?.has(name) ?? false;
      const isKept =
        field.type === 'optionalInt' ||
        field.type === 'optionalBool' ||
        (field.type === 'object' && field.kept);
      return [
        ...(found.id === field.n ? [] : [`${at}: has number ${found.id}, not ${field.n}`]),
        ...(types[field.type].test(type) ? [] : [`${at}: is of type ${type}`]),
        // Of what is no pointer Go writes the zero, which would be kept.
        ...(isKept && !isPointer ? [`${at}: is no pointer`] : []),
        ...('shape' in field && found.resolvedType instanceof Type
          ? faults(field.shape, found.resolvedType, at)
          : []),
      ];
    });
  }

  for (const kind of kindNames.filter((name) => kinds[name].protobuf)) {
    const info: KindInfo = kinds[kind];
    for (const version of info.versions) {
      it(`are those of ${info.kind} ${version}`, () => {
        const message = root.lookupType(messageOf(info, version));
        const found = faults(info.shape, message, info.kind);
        assert.deepEqual(
          found.filter((fault) => !later.has(fault)),
          [],
        );
      });

      it(`are found in a list of ${info.kind} ${version}`, () => {
        const list = root.lookupType(`${messageOf(info, version)}List`);
        const { metadata, items } = list.fields;
        assert.deepEqual([metadata?.id, metadata && typeOf(metadata)], [1, `${meta}.ListMeta`]);
        const type = `repeated ${messageOf(info, version)}`;
        assert.deepEqual([items?.id, items && typeOf(items)], [2, type]);
      });
    }
  }

  const fixed: Readonly<Record<string, Readonly<Record<string, readonly [number, string]>>>> = {
    [`${machinery}.runtime.Unknown`]: { raw: [2, 'bytes'] },
    [`${meta}.ListMeta`]: { continue: [3, 'string'] },
    [`${meta}.Status`]: { message: [3, 'string'], reason: [4, 'string'] },
    [`${meta}.Time`]: { seconds: [1, 'int64'] },
    [`${machinery}.util.intstr.IntOrString`]: {
      type: [1, 'int64'],
      intVal: [2, 'int32'],
      strVal: [3, 'string'],
    },
  };
  for (const [name, fields] of Object.entries(fixed)) {
    it(`are those of ${name}`, () => {
      const message = root.lookupType(name);
      const found = Object.keys(fields).map((field) => {
        const { id, type } = message.fields[field] ?? {};
        return [field, [id, type]];
      });
      assert.deepEqual(Object.fromEntries(found), fields);
    });
  }
});
