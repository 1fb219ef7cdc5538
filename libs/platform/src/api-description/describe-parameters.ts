import type { ParameterDescription, Schema } from './api-description.js';
import { schemaOf31 } from './open-api-31.js';

export interface Parameter extends Schema {
  readonly name: string;
  readonly in: string;
  readonly required?: boolean;
  readonly schema?: unknown;
}

/** Parameters in the order of their descriptions. Headers and query parameters are optional unless their description says otherwise. */
export function describedParameters(
  parameters: readonly Parameter[],
  descriptions: Readonly<Record<string, ParameterDescription>>,
): readonly Schema[] {
  const order = Object.keys(descriptions);
  const position = ({ name }: Parameter): number => (order.includes(name) ? order.indexOf(name) : order.length);
  return [...parameters]
    .sort((a, b) => position(a) - position(b))
    .map((parameter) => described(parameter, descriptions[parameter.name]));
}

function described(parameter: Parameter, description: ParameterDescription | undefined): Schema {
  const { schema, ...rest } = parameter;
  const keywords = { ...(schemaOf31(schema ?? {}) as Schema), ...description?.schema };
  return {
    ...rest,
    required: parameter.in === 'path' || (description?.required ?? false),
    ...(description === undefined ? {} : { description: description.description }),
    schema: keywords,
    ...(description?.example === undefined ? {} : { example: description.example }),
  };
}
