import type { Actor } from '#identity';
import { AddressPattern } from './address-pattern.js';
import { HeaderCondition } from './header-condition.js';

/** What a route does with a message. */
export type RouteAction =
  /** The event `email.received`. What happens if no route matches. */
  | { readonly type: 'webhook' }
  | { readonly type: 'forward'; readonly to: readonly string[] }
  /** To a host of the team, over SMTP or LMTP, with the recipient as it was given. */
  | { readonly type: 'smtp' | 'lmtp'; readonly host: string; readonly port: number }
  /** A permanent refusal, before the content is sent. */
  | { readonly type: 'reject'; readonly text: string }
  /** Accepted, and nothing else. */
  | { readonly type: 'drop' };

/** A rule for mail to a team. Routes are looked at in the order of their positions. */
export interface Route {
  readonly id: string;
  readonly teamId: string;
  /** From 1, without gaps. */
  readonly position: number;
  readonly name: string;
  readonly recipient: AddressPattern;
  /** All of them must hold. */
  readonly conditions: readonly HeaderCondition[];
  readonly action: RouteAction;
  /** Whether the routes behind it are looked at as well if it matches. */
  readonly goesOn: boolean;
  readonly enabled: boolean;
  readonly actor: Actor;
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

export const maxRoutes = 200;
export const maxConditions = 10;
export const maxForwards = 10;
