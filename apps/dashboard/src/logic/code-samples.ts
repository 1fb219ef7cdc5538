export interface SampleEmail {
  readonly url: string;
  readonly key: string;
  readonly from: string;
  readonly to: string;
  readonly subject: string;
  readonly html: string;
}

export interface CodeSample {
  readonly id: string;
  readonly label: string;
  readonly code: string;
}

/** The request that sends an email, with nothing to install, in eight languages. */
export function codeSamples(email: SampleEmail): readonly CodeSample[] {
  return [
    { id: 'curl', label: 'cURL', code: curl(email) },
    { id: 'node', label: 'Node.js', code: node(email) },
    { id: 'python', label: 'Python', code: python(email) },
    { id: 'go', label: 'Go', code: go(email) },
    { id: 'ruby', label: 'Ruby', code: ruby(email) },
    { id: 'php', label: 'PHP', code: php(email) },
    { id: 'java', label: 'Java', code: java(email) },
    { id: 'csharp', label: 'C#', code: csharp(email) },
  ];
}

const bodyOf = ({ from, to, subject, html }: SampleEmail): Record<string, string> => ({ from, to, subject, html });

const json = (email: SampleEmail, indent: string): string =>
  JSON.stringify(bodyOf(email), null, 2)
    .split('\n')
    .map((line, index) => (index === 0 ? line : `${indent}${line}`))
    .join('\n');

/** A literal in double quotes, which most languages read as JSON writes it. */
const quoted = (text: string): string => JSON.stringify(text);
/** A literal in single quotes, as Ruby and PHP read it. */
const single = (text: string): string => `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;
const fields = (email: SampleEmail, line: (name: string, value: string) => string): string =>
  Object.entries(bodyOf(email))
    .map(([name, value]) => line(name, value))
    .join('\n');

function curl(email: SampleEmail): string {
  const body = json(email, '  ').replaceAll("'", `'\\''`);
  return `curl ${email.url}/emails \\
  -H 'Authorization: Bearer ${email.key}' \\
  -H 'Content-Type: application/json' \\
  -d '${body}'`;
}

function node(email: SampleEmail): string {
  return `const response = await fetch('${email.url}/emails', {
  method: 'POST',
  headers: {
    Authorization: 'Bearer ${email.key}',
    'Content-Type': 'application/json',
  },
  body: JSON.stringify(${json(email, '  ')}),
});
console.log(await response.json());`;
}

function python(email: SampleEmail): string {
  return `import json, urllib.request

request = urllib.request.Request(
    "${email.url}/emails",
    headers={
        "Authorization": "Bearer ${email.key}",
        "Content-Type": "application/json",
    },
    data=json.dumps({
${fields(email, (name, value) => `        ${quoted(name)}: ${quoted(value)},`)}
    }).encode(),
)
print(urllib.request.urlopen(request).read().decode())`;
}

function go(email: SampleEmail): string {
  return `package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
)

func main() {
	body, _ := json.Marshal(map[string]string{
${fields(email, (name, value) => `		${quoted(name)}: ${quoted(value)},`)}
	})
	request, _ := http.NewRequest("POST", "${email.url}/emails", bytes.NewReader(body))
	request.Header.Set("Authorization", "Bearer ${email.key}")
	request.Header.Set("Content-Type", "application/json")
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		panic(err)
	}
	defer response.Body.Close()
	answer, _ := io.ReadAll(response.Body)
	fmt.Println(string(answer))
}`;
}

function ruby(email: SampleEmail): string {
  return `require 'json'
require 'net/http'

response = Net::HTTP.post(
  URI('${email.url}/emails'),
  {
${fields(email, (name, value) => `    ${name}: ${single(value)},`)}
  }.to_json,
  'Authorization' => 'Bearer ${email.key}',
  'Content-Type' => 'application/json'
)
puts response.body`;
}

function php(email: SampleEmail): string {
  return `<?php
$request = curl_init('${email.url}/emails');
curl_setopt_array($request, [
    CURLOPT_RETURNTRANSFER => true,
    CURLOPT_HTTPHEADER => [
        'Authorization: Bearer ${email.key}',
        'Content-Type: application/json',
    ],
    CURLOPT_POSTFIELDS => json_encode([
${fields(email, (name, value) => `        ${single(name)} => ${single(value)},`)}
    ]),
]);
echo curl_exec($request);`;
}

function java(email: SampleEmail): string {
  return `import java.net.URI;
import java.net.http.*;

public class FirstEmail {
  public static void main(String[] arguments) throws Exception {
    var body = """
        ${json(email, '        ').replaceAll('\\', '\\\\')}
        """;
    var request = HttpRequest.newBuilder(URI.create("${email.url}/emails"))
        .header("Authorization", "Bearer ${email.key}")
        .header("Content-Type", "application/json")
        .POST(HttpRequest.BodyPublishers.ofString(body))
        .build();
    var response = HttpClient.newHttpClient().send(request, HttpResponse.BodyHandlers.ofString());
    System.out.println(response.body());
  }
}`;
}

function csharp(email: SampleEmail): string {
  return `using System.Net.Http.Headers;
using System.Net.Http.Json;

var client = new HttpClient();
client.DefaultRequestHeaders.Authorization = new AuthenticationHeaderValue("Bearer", "${email.key}");
var response = await client.PostAsJsonAsync("${email.url}/emails", new
{
${fields(email, (name, value) => `    ${name} = ${quoted(value)},`)}
});
Console.WriteLine(await response.Content.ReadAsStringAsync());`;
}
