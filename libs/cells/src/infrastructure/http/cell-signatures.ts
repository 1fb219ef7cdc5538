import { Attached } from '#kernel';
import { Principal } from '#identity';
import type { PrincipalStatement } from '#identity';
import { SecretBox } from '#platform/secrets';
import { Injectable } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';

export const signatureHeader = 'x-postrider-cell';
/** Clocks of cells may differ by as much. */
const validMs = 60_000;
const purpose = 'request of a cell';

/** Who passes a request on. A request is passed on once. */
interface Passed {
  /** In ms since 1970. */
  readonly at: number;
  /** Whom the first cell has authenticated. Absent where the next one does. */
  readonly principal?: PrincipalStatement;
}

/** Requests that cells pass on to each other are signed with a key of `SECRET_KEY`, which they share. */
@Injectable()
export class CellSignatures {
  private readonly read = new Attached<FastifyRequest, { readonly passed: Passed | undefined }>();

  constructor(private readonly secrets: SecretBox) {}

  /** @param path with the query */
  sign(method: string, path: string, principal?: Principal): string {
    const text = JSON.stringify({ at: Date.now(), principal: principal?.statement() } satisfies Passed);
    const signature = this.secrets.sign(purpose, `${method} ${path}\n${text}`);
    return `${Buffer.from(text).toString('base64url')}.${signature}`;
  }

  /** Whether another cell has passed the request on. */
  isPassedOn(request: FastifyRequest): boolean {
    return this.passed(request) !== undefined;
  }

  principalOf(request: FastifyRequest): Principal | undefined {
    const statement = this.passed(request)?.principal;
    return statement === undefined ? undefined : Principal.ofStatement(statement);
  }

  private passed(request: FastifyRequest): Passed | undefined {
    const known = this.read.get(request);
    if (known !== undefined) return known.passed;
    const passed = this.verified(request);
    this.read.set(request, { passed });
    return passed;
  }

  private verified({ headers, method, raw }: FastifyRequest): Passed | undefined {
    const header = headers[signatureHeader];
    if (typeof header !== 'string') return undefined;
    const [encoded = '', signature = ''] = header.split('.', 2);
    const text = Buffer.from(encoded, 'base64url').toString();
    if (!this.secrets.verify(purpose, `${method} ${raw.url}\n${text}`, signature)) return undefined;
    const passed = JSON.parse(text) as Passed;
    return Math.abs(Date.now() - passed.at) <= validMs ? passed : undefined;
  }
}
