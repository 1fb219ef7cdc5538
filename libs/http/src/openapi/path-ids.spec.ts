import { expect, it } from '@jest/globals';
import { Body, Controller, Param } from '@nestjs/common';
import type { PipeTransform } from '@nestjs/common';
import { PathId } from './operations.js';

const example = '0193a1f4-52e6-7c1e-9f0b-5b7d2a9c6e31';

@Controller()
@PathId('id', 'Id of the page.', example)
class Pages {
  change(@Param('id') _id: string, @Param('name') _name: string, @Body() _body: unknown): void {}

  @PathId('part', 'Id of the part.', example)
  move(@Param('id') _id: string, @Param('part') _part: string): void {}
}

/** For each parameter of a handler, in the order in which they are read: its name, and what becomes of `value` in it. */
function read(handler: keyof Pages, value: string): unknown[] {
  const declared = Reflect.getMetadata('__routeArguments__', Pages, handler) as Record<string, never>;
  return Object.values<{ data?: string; pipes: PipeTransform[] }>(declared).map(({ data, pipes }) => {
    const pass = (given: unknown): unknown =>
      pipes.reduce<unknown>((text, pipe) => pipe.transform(text, { type: 'param', data }) as unknown, given);
    try {
      return [data, pass(value)];
    } catch (error) {
      return [data, (error as Error).message];
    }
  });
}

it('an id in a path reaches its handler in lower case', () => {
  expect(read('change', example.toUpperCase())).toEqual([
    ['id', example],
    ['name', example.toUpperCase()],
    [undefined, example.toUpperCase()],
  ]);
});

it('what is no id is refused under the name of the parameter, the first one first', () => {
  expect(read('move', 'x')).toEqual([
    ['id', 'The `id` must be a valid UUID.'],
    ['part', 'The `part` must be a valid UUID.'],
  ]);
});
