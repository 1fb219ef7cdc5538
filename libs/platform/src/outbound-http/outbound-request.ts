export interface OutboundRequest {
  readonly url: string;
  /** Who is answerable for it. One who has many requests under way waits, and nobody else with him. */
  readonly owner: string;
  readonly method?: 'GET' | 'POST';
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: Uint8Array | string;
  /** For everything together once its turn has come: names, connections, redirects, body. */
  readonly timeoutMs: number;
  /** Somebody waits: the time begins to count before it is its turn. */
  readonly isUrgent?: boolean;
  /** Its turn has come: whether it is still wanted. */
  readonly onTurn?: () => boolean;
  /** Longest body that is read. */
  readonly maxBytes: number;
  /** What is beyond `maxBytes` is left out, and no refusal. */
  readonly cutsBody?: boolean;
  /** It does no harm twice: sent again at once where a kept connection turns out to be closed. */
  readonly repeatable?: boolean;
  /** 0: a redirect is an answer like any other. */
  readonly maxRedirects: number;
  /** Ends the request before its time. */
  readonly signal?: AbortSignal;
  /** Sees the head of the answer before its body is read, and throws where the body is not wanted. */
  readonly checkHead?: (head: Omit<OutboundResponse, 'body'>) => void;
  /** Called before bytes of the body are kept, with their number; reading goes on once it has resolved. */
  readonly makeRoom?: (bytes: number) => Promise<void>;
}

export interface OutboundResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: Buffer;
}
