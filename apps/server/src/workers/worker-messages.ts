/** What a worker process tells the process that started it, over their channel. */
export type WorkerMessage = { readonly kind: 'ready'; readonly workerId: string };

/** The argument that makes the program a worker process: it belongs to its parent, greets nobody and ends with it. */
export const workerArgument = 'worker-process';
