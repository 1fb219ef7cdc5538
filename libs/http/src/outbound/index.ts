export { FairTurns } from './fair-turns.js';
export { OutboundHttp } from './outbound-http.js';
export type { OutboundHttpOptions } from './outbound-http.js';
export type { OutboundRequest, OutboundResponse } from './outbound-request.js';
export { OutboundHttpError } from './outbound-http-error.js';
export { OutboundHttpModule } from './outbound-http.module.js';
export { isPublicAddress } from './public-address.js';
