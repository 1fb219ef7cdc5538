/** Set by this program from the connection. Copies that clients send are dropped. */
export const clientAddressHeader = 'x-postrider-client-address';
/** Set if the request came from this service under another name, for example `localhost`. */
export const ownOriginHeader = 'x-postrider-own-origin';
