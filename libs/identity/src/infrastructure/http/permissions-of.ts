import { RequestMethod, UseGuards } from '@nestjs/common';
import type { Type } from '@nestjs/common';
import { operatorPermissions, Permission, permissions } from '../../domain/permission.js';
import { PrincipalGuard, Requires } from './principal.guard.js';

/** What there is a permission to read of. */
type Subject = { [Name in Permission]: Name extends `${infer Of}:read` ? Of : never }[Permission];

/**
 * A controller behind `PrincipalGuard`. Its GET routes require `<subject>:read` and its other routes `<subject>:write`;
 * a route with `@Requires` requires that permission instead.
 */
export function PermissionsOf(subject: Subject): ClassDecorator {
  return (controller) => {
    UseGuards(PrincipalGuard)(controller);
    const handlers = (controller as unknown as Type).prototype as Readonly<Record<string, () => unknown>>;
    for (const name of Object.getOwnPropertyNames(handlers)) {
      const handler = handlers[name];
      const method = handler && (Reflect.getMetadata('method', handler) as RequestMethod | undefined);
      if (handler === undefined || method === undefined || Reflect.hasMetadata(Requires.KEY, handler)) continue;
      Reflect.defineMetadata(Requires.KEY, permissionOf(subject, method), handler);
    }
  };
}

function permissionOf(subject: Subject, method: RequestMethod): Permission {
  const name = `${subject}:${method === RequestMethod.GET ? 'read' : 'write'}`;
  const known = [...permissions, ...operatorPermissions].find((permission) => permission === name);
  if (known === undefined) throw new Error(`There is no permission ${name}`);
  return known;
}
