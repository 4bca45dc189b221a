/** A run in this process, without mocha and files: the report that the command would write. */
import { tool } from '../cli/tool.ts';
import type { Config } from '../config/schema.ts';
import type { Report, Result } from '../core/result.ts';
import { prepare } from '../suites/context.ts';
import { judge } from '../suites/judge.ts';
import { reportOf } from '../suites/report.ts';
import { settingsOf } from '../suites/settings.ts';

/** However young an object is, it is judged: a sandbox is not old. Nothing gets a second look. */
export async function run(config: Config, signal = new AbortController().signal): Promise<Report> {
  const settings = settingsOf({ settleWait: 0, thresholds: { settle: 0 }, ...config });
  const startedAt = new Date();
  const context = await prepare(settings, { env: {}, signal, now: startedAt });
  try {
    const results: Result[] = [];
    for (const subject of context.cases) results.push(await judge(subject, context));
    const times = { startedAt, finishedAt: new Date() };
    return reportOf(context, results, { tool, ...times, interrupted: signal.aborted });
  } finally {
    await context.close();
  }
}
