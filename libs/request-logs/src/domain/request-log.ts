import type { Actor } from '#identity';

/** One API request as its team may read it. */
export interface RequestLogSummary {
  readonly id: string;
  readonly createdAt: Date;
  readonly endpoint: string;
  readonly method: string;
  readonly responseStatus: number;
  readonly userAgent: string | null;
}

export interface RequestLog extends RequestLogSummary {
  readonly requestBody: unknown;
  readonly responseBody: unknown;
}

/** A request as it is stored: the bodies are JSON text, bounded and without secrets. */
export interface NewRequestLog extends RequestLogSummary {
  readonly teamId: string;
  readonly actor: Actor;
  /** Whether a page of the dashboard asked. */
  readonly fromPage: boolean;
  readonly requestJson: string | null;
  readonly responseJson: string | null;
}
