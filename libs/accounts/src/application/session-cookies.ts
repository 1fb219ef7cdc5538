import { Injectable } from '@nestjs/common';
import { OwnOrigin } from './ports/sign-in.port.js';

const prefix = 'postrider';

/** Names of the cookies. `__Host-`: the browser takes them only over https, for this host alone and for all paths. */
@Injectable()
export class SessionCookies {
  constructor(private readonly origin: OwnOrigin) {}

  get session(): string {
    return this.nameOf('session_token');
  }

  nameOf(name: string): string {
    return cookieName(this.origin.value, name);
  }
}

export function cookieName(origin: string, name: string): string {
  return `${cookiePrefix(origin)}.${name}`;
}

export function cookiePrefix(origin: string): string {
  return origin.startsWith('https:') ? `__Host-${prefix}` : prefix;
}
