import { ExecutionContext, Injectable, PipeTransform, RequestMethod } from '@nestjs/common';
import { ModulesContainer } from '@nestjs/core';
import { PrincipalGuard } from '#identity';

type Handler = (...parameters: unknown[]) => unknown;

interface Reader {
  readonly instance: object;
  readonly controller: object;
  readonly name: string;
}

interface Parameter {
  readonly index: number;
  readonly data?: unknown;
  readonly factory?: (data: unknown, context: ExecutionContext) => unknown;
  /** Checks of the value, which throw. */
  readonly pipes?: readonly PipeTransform[];
}

const parameterOfPath = 5;
const parameterOfQuery = 4;

/**
 * Finds the handler that reads what a path names, and calls it as Nest would: `GET /domains/{id}` for `PATCH
 * /domains/{id}` and for `POST /domains/{id}/verify`. What a client may read is what the audit log shows.
 */
@Injectable()
export class Readers {
  private byPath: ReadonlyMap<string, Reader> | undefined;

  constructor(private readonly modules: ModulesContainer) {}

  /** Returns undefined if nothing reads the path, or if it reads nothing at the moment. */
  async read(path: string, context: ExecutionContext): Promise<unknown> {
    const reader = this.readerOf(path);
    if (reader === undefined) return undefined;
    try {
      const values = parametersOf(reader, context);
      if (values === undefined) return undefined;
      const answer: unknown = await (reader.instance as Record<string, Handler>)[reader.name]?.(...values);
      // Only plain answers: a stream would have to be read and released.
      return isPlain(answer) ? answer : undefined;
    } catch {
      return undefined;
    }
  }

  /** Whether this very path can be read. */
  has(path: string): boolean {
    this.byPath ??= this.collect();
    return this.byPath.has(shape(path));
  }

  /** The reader of the path, or of the thing above it: `/domains/:id` for `/domains/:id/verify`. */
  private readerOf(path: string): Reader | undefined {
    this.byPath ??= this.collect();
    const parts = path.split('/');
    for (
      let length = parts.length;
      length > 1 && parts.slice(0, length).some((part) => part.startsWith(':'));
      length--
    ) {
      const reader = this.byPath.get(shape(parts.slice(0, length).join('/')));
      if (reader !== undefined) return reader;
    }
    return this.byPath.get(shape(path));
  }

  private collect(): ReadonlyMap<string, Reader> {
    const readers = new Map<string, Reader>();
    for (const module of this.modules.values()) {
      for (const { instance, metatype } of module.controllers.values()) {
        if (typeof metatype !== 'function' || instance === undefined || instance === null) continue;
        const guards = (Reflect.getMetadata('__guards__', metatype) ?? []) as unknown[];
        if (!guards.includes(PrincipalGuard)) continue;
        const prototype = metatype.prototype as Record<string, unknown>;
        for (const name of Object.getOwnPropertyNames(prototype)) {
          const handler = prototype[name];
          if (name === 'constructor' || typeof handler !== 'function') continue;
          if (Reflect.getMetadata('method', handler) !== RequestMethod.GET) continue;
          for (const path of pathsOf(metatype, handler)) {
            if (!readers.has(shape(path))) readers.set(shape(path), { instance, controller: metatype, name });
          }
        }
      }
    }
    return readers;
  }
}

function pathsOf(controller: object, handler: object): string[] {
  const texts = (target: object): string[] => [Reflect.getMetadata('path', target) as string | string[]].flat();
  return texts(controller).flatMap((base) =>
    texts(handler).map((path) => `/${base}/${path}`.replace(/\/+/g, '/').replace(/\/$/, '')),
  );
}

/** The path without the names of its parameters. */
function shape(path: string): string {
  return path.replace(/:[^/]+/g, ':').replace(/\/$/, '');
}

/** The arguments of a handler; undefined if it takes something that cannot be made here, such as a body. */
function parametersOf({ controller, name }: Reader, context: ExecutionContext): unknown[] | undefined {
  const declared = (Reflect.getMetadata('__routeArguments__', controller, name) ?? {}) as Record<string, Parameter>;
  const { params } = context.switchToHttp().getRequest<{ params: Record<string, string> }>();
  const given = Object.values(params);
  const values: unknown[] = [];
  for (const [kind, { index, data, factory, pipes = [] }] of Object.entries(declared)) {
    const type = Number(kind.split(':')[0]);
    if (factory !== undefined) values[index] = factory(data, context);
    else if (type === parameterOfPath) values[index] = checked(params[String(data)] ?? given[0], String(data), pipes);
    else if (type === parameterOfQuery) values[index] = {};
    else return undefined;
  }
  return values;
}

function checked(value: unknown, data: string, pipes: readonly PipeTransform[]): unknown {
  return pipes.reduce<unknown>((checked, pipe) => pipe.transform(checked, { type: 'param', data }) as unknown, value);
}

function isPlain(value: unknown): boolean {
  return (
    typeof value === 'object' &&
    value !== null &&
    [Object.prototype, null].includes(Object.getPrototypeOf(value) as null)
  );
}
