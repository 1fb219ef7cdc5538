import type { IncomingMessage } from 'node:http';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { Attached, ValidationError } from '#kernel';
import { onceConnectionEnds } from '../connection-end.js';
import { ownerOf } from '../request-owner.js';
import { BodyClock } from './body-clock.js';
import { maxBodyBytes } from './body-limits.js';
import { BodyReader, throwAway } from './body-reader.js';
import { BodyBudget, BodyRoom } from './body-room.js';
import { readForm } from './form-body.js';
import { plainJson } from './parse-body.js';
import { MultipartBody } from '../multipart/multipart-body.js';
import { takesEncodedForms, takesMultipart } from '../multipart/takes-multipart.js';
import { isEncodedForm } from '../multipart/encoded-form-parser.js';
import { takesForms } from './takes-forms.js';

/** How long the rest of a body is read and discarded after the response, in milliseconds. */
const lingerMs = 5_000;
const mebibyte = 1024 * 1024;
/** What a multipart body counts among the large bodies of its owner: two large ones, or 24 of up to 512 KB, arrive at once. */
const multipartTurnBytes = { min: 4 * mebibyte, perByte: 8, max: 48 * mebibyte } as const;

/**
 * Reads all request bodies as JSON, those of handlers that take forms as forms, and `multipart/form-data` as a stream of
 * parts where a handler takes it. An empty body counts as no body. Clients send `Content-Type: application/json` with
 * POST requests without a body, and bodies with GET requests, and none of these may fail (docs/wire-contract.md section
 * 1.2).
 */
export function readBodies(fastify: FastifyInstance): void {
  const budget = new BodyBudget();
  const clock = new BodyClock();
  const rooms = new Attached<FastifyRequest, () => void>();
  const arriveInParts = (
    request: FastifyRequest,
    payload: IncomingMessage,
    done: (error: null, body: MultipartBody) => void,
  ): void => {
    const { 'content-type': contentType = '', 'content-length': announced } = request.headers;
    const length = announced === undefined ? undefined : Number(announced);
    const room = (): BodyRoom => roomFor(request, budget, turnBytes(length), rooms);
    done(null, new MultipartBody({ payload, contentType, length, clock, room }));
  };
  fastify.removeAllContentTypeParsers();
  // Fastify refuses what is no media type before any parser sees it.
  fastify.addHook('onRequest', (request, _reply, done) => {
    const { headers } = request.raw;
    if (takesForms(request) && !/^[^\s/]+\/[^\s/]/.test(headers['content-type'] ?? '')) delete headers['content-type'];
    done();
  });
  fastify.addContentTypeParser(
    ['application/json', 'text/plain', '*'],
    { bodyLimit: maxBodyBytes },
    (request, payload, done): void => {
      const { 'content-type': contentType = '' } = request.headers;
      // Mail programs send one-click requests (RFC 8058) with any content type, or none.
      if (takesForms(request)) return readForm(payload, contentType, clock, done);
      if (isEncodedForm(contentType) && takesEncodedForms(request)) return arriveInParts(request, payload, done);
      if (!acceptsJson(request.headers['content-type'])) {
        return throwAway(payload, () => done(notJson()));
      }
      if (!/^(?:identity)?$/i.test(request.headers['content-encoding'] ?? '')) {
        return throwAway(payload, () => done(compressed()));
      }
      const announced = request.headers['content-length'];
      const length = announced === undefined ? undefined : Number(announced);
      const room = (): BodyRoom => roomFor(request, budget, length, rooms);
      new BodyReader({ payload, length, clock, parseJson: plainJson, room }, done);
    },
  );
  fastify.addContentTypeParser('multipart/form-data', (request, payload, done): void => {
    const contentType = request.headers['content-type'] ?? '';
    if (takesForms(request)) return readForm(payload, contentType, clock, done);
    if (!takesMultipart(request)) return throwAway(payload, () => done(notJson()));
    arriveInParts(request, payload, done);
  });
  fastify.addHook('onResponse', (request, _reply, done) => {
    const { raw } = request;
    rooms.get(request)?.();
    // A client that was refused before its parts were read goes on sending until it reads the response.
    if (request.body instanceof MultipartBody) raw.resume();
    if (!raw.complete) setTimeout(() => raw.complete || raw.destroy(), lingerMs).unref();
    done();
  });
}

/** The room of a request body. It is held until the response is sent or the connection is closed. */
function roomFor(
  request: FastifyRequest,
  budget: BodyBudget,
  length: number | undefined,
  rooms: Attached<FastifyRequest, () => void>,
): BodyRoom {
  const room = new BodyRoom(budget, ownerOf(request), length);
  const forget = onceConnectionEnds(request.raw.socket, () => room.release());
  rooms.set(request, () => {
    forget();
    room.release();
  });
  return room;
}

function turnBytes(length = Infinity): number {
  const { min, perByte, max } = multipartTurnBytes;
  return Math.min(Math.max(perByte * length, min), max);
}

function notJson(): ValidationError {
  return new ValidationError('The request body must be JSON, sent as `Content-Type: application/json`.');
}

/** What a compressed body would take in memory is known only once it is unpacked. */
function compressed(): ValidationError {
  return new ValidationError('The request body must not be compressed: send it without `Content-Encoding`.');
}

function acceptsJson(contentType: string | undefined): boolean {
  return contentType === undefined || /^\s*(?:application\/(?:[\w.-]+\+)?json|text\/plain)\b/i.test(contentType);
}
