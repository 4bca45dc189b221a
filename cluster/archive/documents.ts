/** From the text of a YAML or JSON file to its documents, as the tools that write Kubernetes' YAML mean it. */
import {
  CORE_SCHEMA,
  defineScalarTag,
  floatCoreTag,
  loadAll,
  mergeTag,
  NOT_RESOLVED,
  YAMLException,
} from 'js-yaml';
import { MissingError } from '../../core/errors.ts';

/** Throws MissingError `malformed` with line and column, and without what stands there. */
export function parseDocuments(text: string, place: string): readonly unknown[] {
  if (/^\s*[{[]/.test(text)) {
    try {
      return [JSON.parse(text)];
    } catch {
      // Flow-style YAML begins like JSON; of broken JSON the YAML parser tells the position.
    }
  }
  if (text.length > longestYaml) {
    throw new MissingError('malformed', `${place}: too much YAML to be parsed: save it as JSON`);
  }
  try {
    return loadAll(text, { schema, json: true, maxAliases });
  } catch (cause) {
    throw new MissingError('malformed', `${place}${whereAndWhy(cause, text)}`, { cause });
  }
}

// Go leaves 12e3456, a commit's hash in a label, unquoted: a number that overflows is text to it.
const float = defineScalarTag('tag:yaml.org,2002:float', {
  ...floatCoreTag,
  resolve(source, isExplicit, tagName) {
    const value = floatCoreTag.resolve(source, isExplicit, tagName);
    return value !== NOT_RESOLVED && !Number.isFinite(value) && /^[-+]?\d/.test(source)
      ? NOT_RESOLVED
      : value;
  },
});

// Merge keys are read as kubectl reads them. Equal keys (`json`) too: the last one counts.
const schema = CORE_SCHEMA.withTags(mergeTag, float);

/** Parsing takes fifteen times as much memory. */
const longestYaml = 128 * 2 ** 20;

/** An alias to a list of aliases to a list of aliases costs nothing to write and a lot to project. */
const maxAliases = 200;

function whereAndWhy(cause: unknown, text: string): string {
  if (!(cause instanceof YAMLException)) return ': not readable as YAML';
  const { mark, reason } = cause;
  // {{ .Values.name }} is YAML: a map in place of a key, which has no position of its own.
  const template = reason.includes('complex keys') ? text.indexOf('{{') : -1;
  if (template >= 0) {
    const before = text.slice(0, template).split('\n');
    const column = (before.at(-1) ?? '').length + 1;
    return `:${before.length}:${column}: a template that was not rendered`;
  }
  return mark ? `:${mark.line + 1}:${mark.column + 1}: ${reason}` : `: ${reason}`;
}
