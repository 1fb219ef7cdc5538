import type { ProcessMetrics } from '#observability/metrics';

/** A message from a worker process to the process that started it, over their channel. */
export type WorkerMessage =
  | { readonly kind: 'ready'; readonly workerId: string }
  /** The response to a `WorkerRequest`. */
  | { readonly kind: 'metrics'; readonly metrics: ProcessMetrics };

/** A request to a worker process from the process that started it. */
export interface WorkerRequest {
  readonly kind: 'metrics';
}

/** The argument that makes the program a worker process: it prints no greeting and ends with its parent. */
export const workerArgument = 'worker-process';
