import { describe, expect, it } from '@jest/globals';
import { ValidateNested } from 'class-validator';
import fc from 'fast-check';
import { Anything, List, Moment, OneOf, Text, Texts } from '../openapi/fields.js';
import { FieldChecks } from './field-checks.js';

class Shape {
  @Text('A text.') name: unknown;
  @OneOf(['a', 'b'], 'One of two.', { optional: true }) choice: unknown;
  @Texts('Texts.', { optional: true, maxItems: 2 }) list: unknown;
  @List('Some.', { requiredByDomain: true }) some: unknown;
}

class SpecialShape extends Shape {
  @Text('One more text.', { optional: true }) extra: unknown;
}

describe('field checks', () => {
  const value = fc.constantFrom<unknown>(undefined, null, '', 'a', 'c', 7, [], ['a'], ['a', 1], ['a', 'b', 'c'], {});

  it('have the same result as the library, for every object', () => {
    const checks = new FieldChecks(SpecialShape);
    fc.assert(
      fc.property(value, value, value, value, value, (name, choice, list, some, extra) => {
        const object = Object.assign(new SpecialShape(), { name, choice, list, some, extra });
        expect(checks.allow(object)).toBe(checks.violationsOf(object).length === 0);
      }),
      { numRuns: 500 },
    );
  });

  it('know the fields of a class and of its base class, and no others', () => {
    const checks = new FieldChecks(SpecialShape);
    expect(['name', 'extra', 'constructor', '__proto__', 'other'].map((field) => checks.has(field))).toEqual([
      true,
      true,
      false,
      false,
      false,
    ]);
  });

  it('are refused to a request with a field that only a response may have', () => {
    class Lost {
      @Moment('When.') at: unknown;
    }
    expect(() => new FieldChecks(Lost)).toThrow('Lost.at has no check, so requests would lose it');
  });

  it('do not allow objects that they cannot check, so that the library decides', () => {
    class Nested {
      @Anything('An object.', { also: [ValidateNested()] }) inner: unknown;
    }
    expect(new FieldChecks(Nested).allow(Object.assign(new Nested(), { inner: {} }))).toBe(false);
  });
});
