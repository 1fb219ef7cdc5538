import { ErrorBody } from '#http/server';

export interface DescribedParameter {
  readonly name: string;
  readonly in: 'path' | 'query' | 'header';
  readonly required: boolean;
  readonly description?: string;
  readonly schema: object;
  readonly example?: unknown;
}

export interface DescribedContent {
  readonly schema: object;
  readonly example?: unknown;
  readonly examples?: Readonly<Record<string, { readonly summary: string; readonly value: unknown }>>;
}

interface DescribedResponse {
  readonly $ref?: string;
  readonly description: string;
  readonly content: Readonly<Record<string, DescribedContent>>;
}

interface RawOperation {
  readonly operationId: string;
  readonly summary: string;
  readonly description: string;
  readonly tags: readonly string[];
  readonly parameters: readonly DescribedParameter[];
  readonly requestBody?: { readonly content: Readonly<Record<string, DescribedContent>> };
  readonly responses: Readonly<Record<string, DescribedResponse>>;
}

export interface DescribedDocument {
  readonly openapi: string;
  readonly tags: readonly { readonly name: string; readonly description: string }[];
  readonly paths: Readonly<Record<string, Readonly<Record<string, RawOperation>>>>;
  readonly webhooks: Readonly<Record<string, { readonly post: Required<Pick<RawOperation, 'requestBody'>> }>>;
  readonly components: {
    readonly schemas: Readonly<Record<string, object>>;
    readonly responses: Readonly<Record<string, DescribedResponse>>;
  };
}

/** An operation of the description with its references to responses resolved. */
export interface DescribedOperation extends Omit<RawOperation, 'responses' | 'requestBody'> {
  readonly method: string;
  readonly path: string;
  readonly request: DescribedContent | undefined;
  readonly responses: Readonly<Record<string, { readonly description: string; readonly content: DescribedContent }>>;
  /** Bodies of the refusals with this status. */
  errors(status: number): readonly ErrorBody[];
  /** The path with these values; the other parameters have the examples of the description. */
  pathWith(values?: Readonly<Record<string, string>>): string;
  /** The parameters without which it is refused, with their examples. */
  readonly requiredQuery: string;
}

export function operationsOf({ paths, components }: DescribedDocument): readonly DescribedOperation[] {
  return Object.entries(paths).flatMap(([path, operations]) =>
    Object.entries(operations).map(([method, operation]) => {
      const responses = Object.fromEntries(
        Object.entries(operation.responses).map(([status, response]) => {
          const name = response.$ref?.slice('#/components/responses/'.length);
          const { description, content } = name === undefined ? response : (components.responses[name] ?? response);
          return [status, { description, content: onlyContentOf(content) }];
        }),
      );
      return {
        ...operation,
        method: method.toUpperCase(),
        path,
        request: operation.requestBody === undefined ? undefined : onlyContentOf(operation.requestBody.content),
        responses,
        errors: (status: number) =>
          Object.values(responses[status]?.content.examples ?? {}).map(({ value }) => value as ErrorBody),
        requiredQuery: operation.parameters
          .filter((parameter) => parameter.in === 'query' && parameter.required)
          .map(({ name, example }) => `?${name}=${encodeURIComponent(String(example))}`)
          .join(''),
        pathWith: (values: Readonly<Record<string, string>> = {}) =>
          path.replace(/\{(\w+)\}/g, (_, name: string) => {
            const parameter = operation.parameters.find((candidate) => candidate.name === name);
            return encodeURIComponent(values[name] ?? String(parameter?.example));
          }),
      };
    }),
  );
}

/** JSON, nearly always. */
function onlyContentOf(content: Readonly<Record<string, DescribedContent>>): DescribedContent {
  return Object.values(content)[0] as DescribedContent;
}
