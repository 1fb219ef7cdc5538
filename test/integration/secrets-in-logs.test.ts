import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { isSecretName } from '#kernel';
import { shown } from '../../libs/audit/src/domain/shown-changes.js';
import { boundedJson } from '../../libs/request-logs/src/domain/bounded-json.js';
import { authRoutes } from '../../libs/accounts/src/infrastructure/http/auth-routes.js';
import { DescribedDocument, operationsOf } from '../support/described/described-operations.js';

const document = JSON.parse(readFileSync('docs/openapi.json', 'utf8')) as DescribedDocument;

/** Names that sound like a secret and are none. A new one is decided on: here, or in `isSecretName`. */
const harmless: readonly string[] = [];

/** What lets somebody in: keys, signing secrets, access tokens, and the signature of a link. */
const letsIn = /re_[A-Za-z0-9]{8}_[A-Za-z0-9]{16,}|whsec_[\w+/=]{16,}|eyJ[\w-]{20,}\.|signature=(?!\*)[\w-]+/;

function namesIn(value: unknown, names = new Set<string>()): Set<string> {
  if (typeof value !== 'object' || value === null) return names;
  const { properties } = value as { properties?: unknown };
  if (typeof properties === 'object' && properties !== null)
    for (const name of Object.keys(properties)) names.add(name);
  for (const inner of Object.values(value)) namesIn(inner, names);
  return names;
}

/** The examples of all requests and answers, by operation. */
const examples = operationsOf(document).flatMap(({ operationId, request, responses }) =>
  [request, ...Object.values(responses).map(({ content }) => content)].flatMap((content) =>
    [content?.example, ...Object.values(content?.examples ?? {}).map(({ value }) => value)]
      .filter((value) => typeof value === 'object' && value !== null)
      .map((value) => [operationId, value] as const),
  ),
);

describe('the audit log and the request log', () => {
  it('mask every field of every route that sounds like a secret', () => {
    const fields = [...namesIn(document), ...authRoutes.flatMap(({ fields: taken = {} }) => Object.keys(taken))];
    const suspicious = fields.filter((name) =>
      /token|secret|passw|signature|credential|cookie|private|otp/i.test(name),
    );
    expect(suspicious).toEqual(expect.arrayContaining(['token', 'signing_secret', 'password', 'newPassword']));
    expect(suspicious.filter((name) => !isSecretName(name) && !harmless.includes(name))).toEqual([]);
  });

  it('have nothing that lets somebody in, in the examples of any route', () => {
    expect(examples.filter(([, value]) => letsIn.test(JSON.stringify(value))).length).toBeGreaterThan(3);
    const leaks = examples.filter(
      ([, value]) => letsIn.test(boundedJson(value) ?? '') || letsIn.test(JSON.stringify(shown(value))),
    );
    expect(leaks.map(([operationId]) => operationId)).toEqual([]);
  });

  it('keep a link without its signature', () => {
    const url = 'https://mail.test/shared/emails/1?expires=1796078399&signature=3q2-7wEjRWeJq83vEjRWeJq83vEjRWeJ';
    const kept = 'https://mail.test/shared/emails/1?expires=1796078399&signature=***';
    expect([shown({ url }), JSON.parse(boundedJson({ url }) ?? '')]).toEqual([{ url: kept }, { url: kept }]);
  });
});
