import { idFromPath } from '#http/server';
import type { ArgumentMetadata, PipeTransform, Type } from '@nestjs/common';
import { ROUTE_ARGS_METADATA } from '@nestjs/common/constants.js';
import { RouteParamtypes } from '@nestjs/common/enums/route-paramtypes.enum.js';

/** What Nest keeps of a parameter of a handler, by its kind and its place. */
interface HandlerParameter {
  readonly index: number;
  readonly data?: unknown;
  readonly pipes?: readonly unknown[];
}

/** Refuses what is no UUID, and gives it in lower case. */
const checkedId: PipeTransform<string, string> = {
  transform: (value, { data = '' }: ArgumentMetadata) => idFromPath(data, value),
};

/** Adds the check of an id to each `@Param(name)` of a controller, or of one of its methods. */
export function checkIds(name: string, controller: Type, method?: string | symbol): void {
  const prototype = controller.prototype as object;
  for (const handler of method === undefined ? Object.getOwnPropertyNames(prototype) : [method]) {
    const declared = Reflect.getMetadata(ROUTE_ARGS_METADATA, controller, handler) as
      Readonly<Record<string, HandlerParameter>> | undefined;
    if (declared === undefined) continue;
    const checked = Object.entries(declared).map(([kind, parameter]) =>
      kind.startsWith(`${RouteParamtypes.PARAM}:`) && parameter.data === name
        ? ([kind, { ...parameter, pipes: [checkedId, ...(parameter.pipes ?? [])] }] as const)
        : ([kind, parameter] as const),
    );
    // Decorators run from the last parameter to the first. The first one that is wrong is refused.
    checked.sort(([, a], [, b]) => a.index - b.index);
    Reflect.defineMetadata(ROUTE_ARGS_METADATA, Object.fromEntries(checked), controller, handler);
  }
}
