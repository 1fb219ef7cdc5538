import { curlOf } from './curl.js';

export interface SampleRequest {
  readonly method: string;
  /** With its query. */
  readonly path: string;
  /** Undefined: no body. */
  readonly body: unknown;
}

export interface CodeSample {
  readonly id: string;
  readonly label: string;
  readonly code: string;
}

/** The request with nothing to install, in eight languages. `key` is an API key, or what stands for one. */
export function codeSamples(request: SampleRequest, origin: string, key: string): readonly CodeSample[] {
  const { method, body } = request;
  const parts: Parts = { method, url: `${origin}${request.path}`, key, json: jsonOf(body) };
  return [
    { id: 'curl', label: 'cURL', code: curlOf(request, origin, key) },
    { id: 'node', label: 'Node.js', code: node(parts) },
    { id: 'python', label: 'Python', code: python(parts) },
    { id: 'go', label: 'Go', code: go(parts) },
    { id: 'ruby', label: 'Ruby', code: ruby(parts) },
    { id: 'php', label: 'PHP', code: php(parts) },
    { id: 'java', label: 'Java', code: java(parts) },
    { id: 'csharp', label: 'C#', code: csharp(parts) },
  ];
}

interface Parts {
  readonly method: string;
  readonly url: string;
  readonly key: string;
  /** The body as JSON text over several lines; undefined without one. */
  readonly json: string | undefined;
}

const jsonOf = (body: unknown): string | undefined => (body === undefined ? undefined : JSON.stringify(body, null, 2));

const indented = (text: string, indent: string): string => text.replaceAll('\n', `\n${indent}`);
const lines = (...texts: readonly (string | undefined)[]): string =>
  texts.filter((text) => text !== undefined).join('\n');
/** A line that stands only if there is a body. */
const withBody = (json: string | undefined, line: (json: string) => string): string | undefined =>
  json === undefined ? undefined : line(json);

function node({ method, url, key, json }: Parts): string {
  return lines(
    `const response = await fetch('${url}', {`,
    `  method: '${method}',`,
    '  headers: {',
    `    Authorization: 'Bearer ${key}',`,
    withBody(json, () => `    'Content-Type': 'application/json',`),
    '  },',
    withBody(json, (text) => `  body: JSON.stringify(${indented(text, '  ')}),`),
    '});',
    'console.log(await response.json());',
  );
}

function python({ method, url, key, json }: Parts): string {
  return lines(
    'import urllib.request',
    '',
    'request = urllib.request.Request(',
    `    "${url}",`,
    `    method="${method}",`,
    '    headers={',
    `        "Authorization": "Bearer ${key}",`,
    withBody(json, () => '        "Content-Type": "application/json",'),
    '    },',
    // JSON has no apostrophes of its own, so three of them end the text only if a value has them.
    withBody(json, (text) => `    data='''${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'''.encode(),`),
    ')',
    'print(urllib.request.urlopen(request).read().decode())',
  );
}

function go({ method, url, key, json }: Parts): string {
  const body = withBody(json, (text) => `strings.NewReader(\`${text.replaceAll('`', '` + "`" + `')}\`)`) ?? 'nil';
  return lines(
    'package main',
    '',
    'import (',
    '\t"fmt"',
    '\t"io"',
    '\t"net/http"',
    withBody(json, () => '\t"strings"'),
    ')',
    '',
    'func main() {',
    `\trequest, _ := http.NewRequest("${method}", "${url}", ${body})`,
    `\trequest.Header.Set("Authorization", "Bearer ${key}")`,
    withBody(json, () => '\trequest.Header.Set("Content-Type", "application/json")'),
    '\tresponse, err := http.DefaultClient.Do(request)',
    '\tif err != nil {',
    '\t\tpanic(err)',
    '\t}',
    '\tdefer response.Body.Close()',
    '\tanswer, _ := io.ReadAll(response.Body)',
    '\tfmt.Println(string(answer))',
    '}',
  );
}

function ruby({ method, url, key, json }: Parts): string {
  const kind = `${method.charAt(0)}${method.slice(1).toLowerCase()}`;
  return lines(
    `require 'net/http'`,
    '',
    `uri = URI('${url}')`,
    `request = Net::HTTP::${kind}.new(uri, 'Authorization' => 'Bearer ${key}')`,
    withBody(json, () => `request.content_type = 'application/json'`),
    withBody(json, (text) => `request.body = <<~'JSON'\n  ${indented(text, '  ')}\nJSON`),
    `response = Net::HTTP.start(uri.host, uri.port, use_ssl: uri.scheme == 'https') { |http| http.request(request) }`,
    'puts response.body',
  );
}

function php({ method, url, key, json }: Parts): string {
  return lines(
    '<?php',
    `$request = curl_init('${url}');`,
    'curl_setopt_array($request, [',
    '    CURLOPT_RETURNTRANSFER => true,',
    `    CURLOPT_CUSTOMREQUEST => '${method}',`,
    '    CURLOPT_HTTPHEADER => [',
    `        'Authorization: Bearer ${key}',`,
    withBody(json, () => `        'Content-Type: application/json',`),
    '    ],',
    withBody(json, (text) => `    CURLOPT_POSTFIELDS => <<<'JSON'\n    ${indented(text, '    ')}\n    JSON,`),
    ']);',
    'echo curl_exec($request);',
  );
}

function java({ method, url, key, json }: Parts): string {
  const text = (json ?? '').replaceAll('\\', '\\\\').replaceAll('"""', '\\"""');
  const publisher = json === undefined ? 'noBody()' : 'ofString(body)';
  return lines(
    'import java.net.URI;',
    'import java.net.http.*;',
    '',
    'public class Request {',
    '  public static void main(String[] arguments) throws Exception {',
    withBody(json, () => `    var body = """\n        ${indented(text, '        ')}\n        """;`),
    `    var request = HttpRequest.newBuilder(URI.create("${url}"))`,
    `        .header("Authorization", "Bearer ${key}")`,
    withBody(json, () => '        .header("Content-Type", "application/json")'),
    `        .method("${method}", HttpRequest.BodyPublishers.${publisher})`,
    '        .build();',
    '    var response = HttpClient.newHttpClient().send(request, HttpResponse.BodyHandlers.ofString());',
    '    System.out.println(response.body());',
    '  }',
    '}',
  );
}

function csharp({ method, url, key, json }: Parts): string {
  return lines(
    'using System.Net.Http.Headers;',
    withBody(json, () => 'using System.Text;'),
    '',
    'var client = new HttpClient();',
    `client.DefaultRequestHeaders.Authorization = new AuthenticationHeaderValue("Bearer", "${key}");`,
    `var request = new HttpRequestMessage(new HttpMethod("${method}"), "${url}");`,
    withBody(
      json,
      (text) =>
        `request.Content = new StringContent("""\n    ${indented(text, '    ')}\n    """, Encoding.UTF8, "application/json");`,
    ),
    'var response = await client.SendAsync(request);',
    'Console.WriteLine(await response.Content.ReadAsStringAsync());',
  );
}
