import { Readable } from 'node:stream';
import { leaveUnlogged } from '#http/server';
import { principalOf } from '#identity';
import { NotFoundError, parsePageRequest } from '#kernel';
import { CallHandler, ExecutionContext, Injectable, NestInterceptor } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { IncomingMessage } from 'node:http';
import { catchError, from, mergeMap, Observable } from 'rxjs';
import { Cell, Cells, MailElsewhereError } from '../../domain/cells.js';
import { ListPage, mergePages } from '../../domain/merged-list.js';
import { CellRequest, CellRequests, CellUnreachableError, endOf, maxReadingMs, relay } from './cell-requests.js';
import { CellSignatures } from './cell-signatures.js';
import { jsonPieces } from './json-pieces.js';

/** Lists whose items are in several cells. */
const lists = new Set(['/emails', '/emails/receiving', '/logs']);
/** One item of such a list, and what belongs to it. */
const itemPath = /^\/(?:emails|emails\/receiving|logs)\/[0-9a-f]{8}-[0-9a-f-]{27}(?:\/|$)/i;
/** Names the cells that a list lacks, because they could not be reached. */
const missingHeader = 'x-postrider-missing-regions';
const maxPageBytes = 4 * 1024 * 1024;

/**
 * Requests about mail are answered by the cell that has it, whichever cell was asked:
 *
 * - An email is sent by the cell of its sender's domain. This cell checks the request first, and stores nothing.
 * - An email that this cell does not have is asked of the others.
 * - Lists are merged. Where a cell cannot be reached, the list lacks its mail, and a header says so.
 */
@Injectable()
export class MailRequests implements NestInterceptor {
  constructor(
    private readonly cells: Cells,
    private readonly requests: CellRequests,
    private readonly signatures: CellSignatures,
  ) {}

  intercept(context: ExecutionContext, next: CallHandler): Observable<unknown> {
    const request = context.switchToHttp().getRequest<FastifyRequest>();
    const reply = context.switchToHttp().getResponse<FastifyReply>();
    const path = request.url.split('?', 1)[0] as string;
    const isPassedOn = this.signatures.isPassedOn(request);
    if (request.method === 'GET' && lists.has(path)) {
      // The cell that merges the list logs the request.
      if (isPassedOn) leaveUnlogged(request);
      else return next.handle().pipe(mergeMap((page) => this.merged(request, reply, page as ListPage)));
    }
    return next.handle().pipe(
      catchError((error: unknown) => {
        if (error instanceof MailElsewhereError) {
          // The region of the domain has just changed, and not every cell knows it yet.
          if (isPassedOn) throw new CellUnreachableError(error.cell);
          return from(this.sendElsewhere(error.cell, request, reply));
        }
        if (!isPassedOn && error instanceof NotFoundError && itemPath.test(path)) {
          return from(this.askOthers(request, reply, error));
        }
        throw error;
      }),
    );
  }

  private async sendElsewhere(cell: Cell, request: FastifyRequest, reply: FastifyReply): Promise<void> {
    const response = await this.ask(cell, request, reply);
    leaveUnlogged(request);
    await relay(response, reply);
  }

  /** Throws `notFound` if no cell has it, and CellUnreachableError if one that may have it cannot be asked. */
  private async askOthers(request: FastifyRequest, reply: FastifyReply, notFound: NotFoundError): Promise<void> {
    const answers = this.cells.others.map(async (cell) => {
      const response = await this.ask(cell, request, reply);
      const { statusCode = 500 } = response;
      if (statusCode !== 404 && statusCode !== 429 && statusCode < 500) return response;
      response.resume();
      throw statusCode === 404 ? notFound : new CellUnreachableError(cell);
    });
    const having = await Promise.any(answers).catch(({ errors }: AggregateError) => {
      throw errors.find((error) => error !== notFound) ?? notFound;
    });
    leaveUnlogged(request);
    await relay(having, reply);
  }

  private async merged(request: FastifyRequest, reply: FastifyReply, own: ListPage): Promise<unknown> {
    const missing: string[] = [];
    const pages = await Promise.all(
      this.cells.others.map(async (cell): Promise<ListPage[]> => {
        try {
          return [await pageOf(cell, await this.ask(cell, request, reply, AbortSignal.timeout(maxReadingMs)))];
        } catch (error) {
          if (!(error instanceof CellUnreachableError)) throw error;
          missing.push(cell.name);
          return [];
        }
      }),
    );
    if (missing.length > 0) void reply.header(missingHeader, missing.join(', '));
    const { limit, before } = parsePageRequest(request.query as Record<string, unknown>);
    return { ...own, ...mergePages([own, ...pages.flat()], { limit, isBackward: before !== undefined }) };
  }

  private ask(
    cell: Cell,
    request: FastifyRequest,
    reply: FastifyReply,
    ...clocks: readonly AbortSignal[]
  ): Promise<IncomingMessage> {
    const { method, raw, body } = request;
    const headers = { ...request.headers, 'x-forwarded-for': request.ip, 'accept-encoding': 'identity' };
    delete headers['content-length'];
    const asked: CellRequest = {
      method,
      path: raw.url ?? '/',
      headers,
      principal: principalOf(request),
      body: body === undefined || body === null ? undefined : Readable.from(jsonPieces(body)),
    };
    return this.requests.send(cell, asked, AbortSignal.any([endOf(reply), ...clocks]));
  }
}

async function pageOf(cell: Cell, response: IncomingMessage): Promise<ListPage> {
  if (response.statusCode !== 200) {
    response.resume();
    throw new CellUnreachableError(cell);
  }
  const chunks: Buffer[] = [];
  let size = 0;
  try {
    for await (const chunk of response as AsyncIterable<Buffer>) {
      if ((size += chunk.length) > maxPageBytes) throw new Error('too long');
      chunks.push(chunk);
    }
    return JSON.parse(Buffer.concat(chunks).toString()) as ListPage;
  } catch {
    throw new CellUnreachableError(cell);
  }
}
