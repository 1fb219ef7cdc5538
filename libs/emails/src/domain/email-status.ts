/**
 * The state of one recipient. `queued` and `delayed` recipients are still to be delivered. The other states are final,
 * except that a delivered recipient may still bounce, reported by a later server, or complain, each once.
 */
export type RecipientStatus =
  'scheduled' | 'queued' | 'delayed' | 'delivered' | 'bounced' | 'complained' | 'failed' | 'suppressed' | 'canceled';
