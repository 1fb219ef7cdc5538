import { Readable } from 'node:stream';
import { afterEach, beforeEach, expect, it } from '@jest/globals';
import type { Principal } from '#identity';
import type { ExecutionContext } from '@nestjs/common';
import { HttpAdapterHost, Reflector } from '@nestjs/core';
import fastify, { FastifyInstance, FastifyReply } from 'fastify';
import { AuditTrail } from '../../application/audit-trail.js';
import { actionOf, AuditRecorder } from './audit-recorder.js';
import { Readers } from './readers.js';

let server: FastifyInstance;
let entries: string[];
let answer: (reply: FastifyReply) => unknown;

/** The recorder behind a Fastify that answers as the test says, without Nest. */
beforeEach(async () => {
  entries = [];
  const trail = {
    begin: async ({ action }: { action: string }) => {
      entries.push(`begun ${action}`);
      return {
        done: async ({ after }: { after?: unknown }) => void entries.push(`done ${JSON.stringify(after)}`),
        refused: async () => void entries.push('refused'),
        failed: async () => void entries.push('failed'),
      };
    },
  } as unknown as AuditTrail;
  const readers = { read: async () => undefined, has: () => false } as unknown as Readers;
  server = fastify();
  const adapters = { httpAdapter: { getInstance: () => server } } as unknown as HttpAdapterHost;
  const recorder = new AuditRecorder(trail, readers, new Reflector(), adapters);
  recorder.onModuleInit();
  const principal = { teamId: 'team', actor: { kind: 'service' } } as unknown as Principal;
  server.route({
    method: ['GET', 'POST'],
    url: '/exports',
    handler: async (request, reply) => {
      const context = { switchToHttp: () => ({ getRequest: () => request }), getHandler: () => answer };
      await recorder.begin(context as unknown as ExecutionContext, principal);
      return answer(reply);
    },
  });
  await server.ready();
});

afterEach(() => server.close());

const post = (): Promise<{ statusCode: number; body: string }> => server.inject({ method: 'POST', url: '/exports' });
const begun = expect.stringMatching(/^begun exports\./);

it('an answer that is JSON is in its entry, which ends before the answer is sent', async () => {
  answer = () => ({ id: 'one' });
  expect((await post()).body).toBe('{"id":"one"}');
  expect(entries).toEqual([begun, 'done {"id":"one"}']);
});

it('the entry of an answer without content ends', async () => {
  answer = (reply) => reply.status(204).send();
  expect((await post()).statusCode).toBe(204);
  expect(entries).toEqual([begun, 'done {}']);
});

it('the entry of a stream ends before its first piece is read, and the stream is sent unchanged', async () => {
  let ended: readonly string[] = [];
  answer = (reply) => {
    const pieces = function* (): Generator<string> {
      ended = [...entries];
      yield 'a';
      yield 'b';
    };
    return reply.send(Readable.from(pieces(), { objectMode: false }));
  };
  expect((await post()).body).toBe('ab');
  expect(ended).toEqual([begun, 'done {}']);
  expect(entries).toHaveLength(2);
});

it('an error in the middle of a stream ends the connection, and leaves one entry of what was done', async () => {
  answer = (reply) => {
    const pieces = function* (): Generator<string> {
      yield 'a';
      throw new Error('the disk is gone');
    };
    return reply.send(Readable.from(pieces(), { objectMode: false }));
  };
  await expect(post()).rejects.toThrow();
  expect(entries).toEqual([begun, 'done {}']);
  // The next request is not disturbed.
  answer = () => ({ id: 'two' });
  expect((await post()).body).toBe('{"id":"two"}');
  expect(entries.slice(2)).toEqual([begun, 'done {"id":"two"}']);
});

it('reading makes no entry', async () => {
  answer = () => ({ id: 'one' });
  await server.inject({ method: 'GET', url: '/exports' });
  expect(entries).toEqual([]);
});

it.each([
  ['POST', '/domains', true, 'domains.create'],
  ['POST', '/domains/:id/verify', false, 'domains.verify'],
  ['PATCH', '/domains/:id', true, 'domains.update'],
  ['DELETE', '/contacts/:id/segments/:segmentId', false, 'contacts.segments.delete'],
  ['POST', '/team/invitations', true, 'team.invitations.create'],
  ['POST', '/suppressions/batch/add', false, 'suppressions.batch.add'],
  ['PATCH', '/team', true, 'team.update'],
])('%s %s is an action', (method, path, isCollection, action) => {
  expect(actionOf(method, path, isCollection)).toBe(action);
});
