/** The topic under which processes tell each other that a broadcast has work. The payload is its id. */
export const broadcastWork = 'broadcast-work';
