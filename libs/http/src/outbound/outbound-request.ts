export interface OutboundRequest {
  readonly url: string;
  /** Key of the queue in which turns are shared. An owner with many running requests waits without delaying others. */
  readonly owner: string;
  readonly method?: 'GET' | 'HEAD' | 'POST';
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: Uint8Array | string;
  /** Time limit for DNS, connections, redirects and body together, from when the request gets its turn. */
  readonly timeoutMs: number;
  /** A caller is waiting: `timeoutMs` then includes the wait for the turn. */
  readonly isUrgent?: boolean;
  /** Called when the request gets its turn. Returns whether it is still to be sent. */
  readonly onTurn?: () => boolean;
  /** Maximum size of the response body. */
  readonly maxBytes: number;
  /** A body larger than `maxBytes` is cut off instead of refused. */
  readonly cutsBody?: boolean;
  /** Maximum number of bytes that are read and discarded in order to keep the connection. Default: 64 KB. */
  readonly maxDrainedBytes?: number;
  /** The request is idempotent: it is sent again immediately where a kept connection turns out to be closed. */
  readonly repeatable?: boolean;
  /** 0: a redirect is returned as the response. */
  readonly maxRedirects: number;
  /** Aborts the request. */
  readonly signal?: AbortSignal;
  /** Called with the head of the response before its body is read. Throws if the body is not wanted. */
  readonly checkHead?: (head: Omit<OutboundResponse, 'body'>) => void;
  /** Called with the number of bytes of the body before they are kept. Reading continues once it resolves. */
  readonly makeRoom?: (bytes: number) => Promise<void>;
}

export interface OutboundResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: Buffer;
}
