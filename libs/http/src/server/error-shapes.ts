import type { DomainError } from '#kernel';
import { Injectable } from '@nestjs/common';
import type { ErrorBody } from './error-response.js';

/** The response to a request that failed, as another API has it. */
export interface ShapedError {
  readonly status: number;
  /** A text is sent as XML. */
  readonly body: object | string;
}

/** `refusal` is undefined if the error is a bug of ours. `url`: path and query of the request. */
export type ErrorShape = (error: ErrorBody, refusal: DomainError | undefined, url: string) => ShapedError;

/**
 * The shapes of errors under paths that speak another API. They are chosen by the path and not by the controller, because
 * a body that is not JSON, a key that is not known and a route that does not exist are refused before any controller.
 */
@Injectable()
export class ErrorShapes {
  private readonly shapes = new Map<string, ErrorShape>();

  /** @param path first segment of the path, with its slash */
  add(path: string, shape: ErrorShape): void {
    this.shapes.set(path, shape);
  }

  /** Undefined: the contract's own shape. */
  of(url: string): ErrorShape | undefined {
    if (this.shapes.size === 0) return undefined;
    const [first = ''] = /^\/[^/?#]{0,64}/.exec(url) ?? [];
    return this.shapes.get(first);
  }
}
