import type { Browser } from '../clients/browser.js';
import type { DescribedOperation } from './described-operations.js';
import type { ParsedJson } from '../runner/parsed-json.js';
import type { TestProgram } from '../programs/program.js';

interface Options {
  /** Values of the path, and of query parameters in place of their examples. */
  readonly values?: Readonly<Record<string, string>>;
  readonly without?: readonly string[];
  readonly key?: string;
  /** Sends it with the session of this browser, for this team, instead of with a key. */
  readonly session?: { readonly browser: Browser; readonly teamId: string };
}

/** Sends the examples of the API's description, and remembers which. */
export class ExampleRequests {
  readonly tried = new Set<string>();
  /** Ids of the examples and the ids of the program that replace them. */
  readonly ownIds = new Map<string, string>();

  constructor(
    private readonly program: TestProgram,
    private readonly operations: ReadonlyMap<string, DescribedOperation>,
  ) {}

  /** Sends an example of a request, with the examples of its parameters. Throws unless the response is a success. */
  async send(operationId: string, example?: string, options: Options = {}): Promise<ParsedJson> {
    const operation = this.operations.get(operationId) as DescribedOperation;
    const { values = {}, without = ['after', 'before'], key, session } = options;
    const parameters = operation.parameters.filter(({ name }) => !without.includes(name) && values[name] === undefined);
    const query = new URLSearchParams(
      parameters
        .filter((parameter) => parameter.in === 'query')
        .map(({ name, example: given }): [string, string] => [name, String(given)]),
    );
    const headers = parameters
      .filter((parameter) => parameter.in === 'header')
      .map(({ name, example: given }): [string, string] => [
        name,
        `${String(given)}${name.startsWith('x-') ? '' : example}`,
      ]);
    const body = example === undefined ? undefined : operation.request?.examples?.[example]?.value;
    const path = `${operation.pathWith(values)}?${this.replaced(String(query))}`;
    const { method } = operation;
    const response =
      session === undefined
        ? await this.program.request(path, {
            method,
            headers: {
              ...Object.fromEntries(headers),
              ...(body === undefined || isForm(operationId) ? {} : { 'content-type': 'application/json' }),
              ...(key === undefined ? {} : { authorization: `Bearer ${key}` }),
            },
            body: body === undefined ? undefined : this.bodyOf(operationId, body),
          })
        : await session.browser.request(path, {
            method,
            body: this.ownBody(body),
            headers: { 'x-team': session.teamId },
          });
    const isJson = response.headers.get('content-type')?.includes('json') === true;
    const result = (isJson ? await response.json() : { text: await response.text() }) as ParsedJson;
    if (!response.ok) throw new Error(`${operationId} ${example}: ${response.status} ${JSON.stringify(result)}`);
    this.tried.add(`${operationId} ${example ?? ''}`);
    return result;
  }

  /** The example of a request. */
  valueOf(operationId: string, example: string): ParsedJson {
    return this.operations.get(operationId)?.request?.examples?.[example]?.value as ParsedJson;
  }

  /** The items of a list; undefined if there are none. */
  async itemsOf(operationId: string, values = {}): Promise<readonly ParsedJson[] | undefined> {
    const { data } = await this.send(operationId, undefined, { values });
    return (data as ParsedJson[]).length === 0 ? undefined : (data as ParsedJson[]);
  }

  /** From now on the id in the example of the response is replaced by the id of this result. */
  useIdOf(operationId: string, status: number, result: ParsedJson): string {
    const example = this.operations.get(operationId)?.responses[status]?.content.example as { id: string };
    this.ownIds.set(example.id, result.id as string);
    return result.id as string;
  }

  private ownBody(body: unknown): unknown {
    return body === undefined ? undefined : JSON.parse(this.replaced(JSON.stringify(body)));
  }

  private bodyOf(operationId: string, body: unknown): string | FormData {
    if (!isForm(operationId)) return this.replaced(JSON.stringify(body));
    const form = new FormData();
    for (const [name, value] of Object.entries(body as object)) form.append(name, this.replaced(String(value)));
    if (operationId === 'addImage') form.set('file', new Blob([pixel]), 'pixel.gif');
    return form;
  }

  private replaced(text: string): string {
    return [...this.ownIds].reduce((changed, [id, own]) => changed.replaceAll(id, own), text);
  }
}

/** One pixel, as a GIF: an example cannot show bytes. */
const pixel = Buffer.from('R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAICRAEAOw==', 'base64');

const isForm = (operationId: string): boolean => ['createContactImport', 'addImage'].includes(operationId);
