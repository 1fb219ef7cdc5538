import { MergeValue, MergeValues } from '#kernel';
import { contactNames, tagsOf, variablesWithoutFallback } from './template-content.js';
import { MissingVariablesError } from './template-errors.js';
import { checkedValue, TemplateVariable, textOfVariable } from './template-variable.js';
import { TemplateContent } from './template.js';

/** A published version, as emails are made of it. The object of a version stays the same while it is cached. */
export interface PublishedTemplate extends TemplateContent {
  /** Their fallbacks are texts, as they are inserted. */
  readonly variables: readonly TemplateVariable[];
  readonly id: string;
  readonly versionId: string;
  readonly teamId: string;
  /** Keys, in lower case, of the variables that every request must give. */
  readonly required: ReadonlySet<string>;
  /** Names of the tags that stand for values of the recipient's contact, as merges compare names. */
  readonly contactNames: ReadonlySet<string>;
}

export function publishedTemplate(
  ids: Pick<PublishedTemplate, 'id' | 'versionId' | 'teamId'>,
  content: TemplateContent,
): PublishedTemplate {
  const tags = tagsOf(content);
  return {
    ...content,
    ...ids,
    variables: content.variables.map(withTextFallback),
    required: requiredKeys(content, tags),
    contactNames: contactNames(content, tags),
  };
}

/** A cached list of 2,000 characters takes up to 26 KB of memory as a value, and emails need its text alone. */
function withTextFallback(variable: TemplateVariable): TemplateVariable {
  const { fallbackValue } = variable;
  return { ...variable, fallbackValue: fallbackValue === null ? null : textOfVariable(fallbackValue) };
}

export function requiredKeys(content: TemplateContent, tags = tagsOf(content)): ReadonlySet<string> {
  return new Set(variablesWithoutFallback(content, tags).map(({ key }) => key.toLowerCase()));
}

interface Expected {
  readonly variables: readonly TemplateVariable[];
  readonly required: ReadonlySet<string>;
}

/**
 * The merge values of one email. The html of a template takes values as they are (docs/wire-contract.md section 16.4).
 * Throws if a value is missing or has another type; keys that are no variable are ignored.
 */
export function templateValues(template: Expected, given: Readonly<Record<string, unknown>>): MergeValues {
  const { values, missing } = valuesAndGaps(template, given);
  if (missing.length > 0) throw new MissingVariablesError(missing);
  return values;
}

/** The same for a preview: lists the keys of missing values, in place of which nothing is inserted. */
export function valuesAndGaps(
  { variables, required }: Expected,
  given: Readonly<Record<string, unknown>>,
): { readonly values: MergeValues; readonly missing: readonly string[] } {
  const byName = new Map(Object.entries(given).map(([key, value]) => [key.toLowerCase(), value]));
  const missing: string[] = [];
  const values: Record<string, MergeValue> = Object.create(null) as Record<string, MergeValue>;
  for (const variable of variables) {
    const { key, type, fallbackValue } = variable;
    const name = key.toLowerCase();
    const value = Object.hasOwn(given, key) ? given[key] : byName.get(name);
    if (value !== undefined && value !== null) {
      values[name] = { value: textOfVariable(checkedValue(key, type, value)), markup: true };
      continue;
    }
    if (required.has(name)) missing.push(key);
    const fallback = fallbackValue === null ? '' : textOfVariable(fallbackValue);
    values[name] = { value: fallback, markup: true, fallback: true };
  }
  return { values: { ...values }, missing };
}
