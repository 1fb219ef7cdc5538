import { createHash, Hash } from 'node:crypto';
import { MultipartBody } from '#http/server';
import { ApiKeyRepository, AuthenticateApiKey, InvalidApiKeyError, permissionsOfAccess, Principal } from '#identity';
import { Attached, Clock, DomainError, found } from '#kernel';
import { SecretBox } from '#platform/secrets';
import { Injectable, OnModuleInit } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { WireCredentials } from '../wire.js';
import { QueryParameters, readQuery } from './ses-query.js';
import { isSignedWith, isTimely, parsedSignature, sha256, SignedRequest } from './signature-v4.js';

const purpose = 'ses secret access key';

/**
 * The credentials of SES: the id of an API key, and a secret that follows from it and from the secret of the installation.
 * It is stored nowhere, so that it can be shown whenever it is asked for, and ends with its key.
 */
@Injectable()
export class SesCredentials implements WireCredentials, OnModuleInit {
  /** Of the bodies of requests, as they arrive. */
  private readonly hashes = new Attached<FastifyRequest, Hash>();
  private readonly digests = new Attached<FastifyRequest, string>();
  private readonly forms = new Attached<FastifyRequest, Promise<QueryParameters>>();

  constructor(
    private readonly adapter: HttpAdapterHost,
    private readonly apiKeys: AuthenticateApiKey,
    private readonly keys: ApiKeyRepository,
    private readonly secrets: SecretBox,
    private readonly clock: Clock,
  ) {}

  onModuleInit(): void {
    const fastify = this.adapter.httpAdapter.getInstance<FastifyInstance>();
    // After the gate of large bodies, and before the reader: both listen from the same turn on, and miss nothing.
    fastify.addHook('preParsing', (request, _reply, payload, done): void => {
      // Version 1 has forms, which are hashed where they are read.
      if (request.url.startsWith('/ses/v2/')) {
        const hash = createHash('sha256');
        this.hashes.set(request, hash);
        payload.on('data', (chunk: Buffer) => hash.update(chunk));
      }
      done();
    });
  }

  /** The secret of a key of the team. Throws if the principal lacks a permission that the key has. */
  async secretOf(principal: Principal, apiKeyId: string): Promise<string> {
    const key = await this.keys.findById(apiKeyId);
    const { permission } = found('API key', key?.teamId === principal.teamId ? key : undefined);
    principal.requireToPassOn(permissionsOfAccess(permission));
    return this.secrets.sign(purpose, apiKeyId);
  }

  /**
   * Many clients, boto3 among them, sign the hash of a body without sending it. A large one is charged to what nobody has
   * proven yet about the key that is named, and not to its team: who knows the id of a key could use up its share.
   */
  async payerOf(request: FastifyRequest): Promise<string | undefined> {
    const { headers } = request;
    const parsed = parsedSignature({ method: request.method, url: request.originalUrl, headers });
    if (parsed === undefined || parsed.claimedHash !== undefined || !isTimely(parsed, this.clock.now()))
      return undefined;
    const key = await this.keys.findById(parsed.accessKeyId);
    return key && `unproven key of ${key.teamId}`;
  }

  /**
   * The principal of the key that has signed the request. A body that is not read yet has its hash in a header; the body
   * itself is compared with it by `requireBody`.
   */
  async authenticate(request: FastifyRequest): Promise<Principal> {
    const signed: SignedRequest = { method: request.method, url: request.originalUrl, headers: request.headers };
    const parsed = parsedSignature(signed);
    if (parsed === undefined) throw new InvalidApiKeyError();
    if (!isTimely(parsed, this.clock.now())) {
      throw new DomainError('forbidden', 'invalid_signature', 'Signature expired: the clock of the client is wrong.');
    }
    if (parsed.claimedHash === undefined && request.body instanceof MultipartBody) await this.formOf(request);
    const hash = parsed.claimedHash ?? this.hashOfBody(request);
    const secrets = this.secrets.signatures(purpose, parsed.accessKeyId);
    if (hash === undefined || !isSignedWith(secrets, signed, parsed, hash)) throw wrongSignature();
    return this.apiKeys.authenticateSigned(parsed.accessKeyId, request.ip);
  }

  /** The parameters of a request of version 1. It is read once, and before its signature is checked if that needs it. */
  formOf(request: FastifyRequest): Promise<QueryParameters> {
    const known = this.forms.get(request);
    if (known !== undefined) return known;
    const hash = createHash('sha256');
    this.hashes.set(request, hash);
    const form = readQuery(request.body, (chunk) => hash.update(chunk));
    this.forms.set(request, form);
    return form;
  }

  /** Throws if the body is not the one that was signed. */
  requireBody(request: FastifyRequest): void {
    const claimed = request.headers['x-amz-content-sha256'];
    if (claimed !== undefined && claimed !== this.hashOfBody(request)) throw wrongSignature();
  }

  /** Undefined while the body has not been read. */
  private hashOfBody(request: FastifyRequest): string | undefined {
    const known = this.digests.get(request);
    if (known !== undefined) return known;
    const hash = this.hashes.get(request);
    const hasBody =
      request.headers['transfer-encoding'] !== undefined || Number(request.headers['content-length'] ?? 0) > 0;
    // Such a request may be answered before Node says that it is complete.
    if (!hasBody) return sha256('');
    if (hash === undefined || !request.raw.complete) return undefined;
    const digest = hash.digest('hex');
    this.digests.set(request, digest);
    return digest;
  }
}

function wrongSignature(): DomainError {
  return new DomainError(
    'forbidden',
    'invalid_signature',
    'The request signature we calculated does not match the signature you provided.',
  );
}
