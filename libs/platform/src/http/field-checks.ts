import { getMetadataStorage, ValidationArguments, ValidationTypes } from 'class-validator';

type Metadata = ReturnType<ReturnType<typeof getMetadataStorage>['getTargetValidationMetadatas']>[number];

interface Field {
  /** Each must hold for the field to be looked at: `@IsOptional()`, `@ValidateIf()`. */
  readonly conditions: readonly ((object: object, value: unknown) => boolean)[];
  readonly checks: readonly ((object: object, value: unknown) => boolean)[];
}

/**
 * What class-validator's decorators on a class ask of its fields, looked up once.
 *
 * Says only whether an object is right; what is wrong with one is the library's to say. The library looks everything
 * up for every object and prepares an error for every field: with it, a quarter of the memory that a send request used
 * went into checking its fields, and a twentieth of the time.
 */
export class FieldChecks {
  private readonly fields: ReadonlyMap<string, Field>;

  constructor(shape: new () => object) {
    const storage = getMetadataStorage();
    const decorations = storage.getTargetValidationMetadatas(shape, '', false, false);
    this.fields = new Map(
      Object.entries(storage.groupByPropertyName(decorations)).map(([name, own]) => [name, fieldOf(shape.name, own)]),
    );
  }

  has(name: string): boolean {
    return this.fields.has(name);
  }

  allow(object: object): boolean {
    for (const [name, { conditions, checks }] of this.fields) {
      const value = (object as Record<string, unknown>)[name];
      if (!conditions.every((condition) => condition(object, value))) continue;
      if (!checks.every((check) => check(object, value))) return false;
    }
    return true;
  }
}

function fieldOf(shape: string, decorations: readonly Metadata[]): Field {
  const conditions = decorations.filter(({ type }) => type === ValidationTypes.CONDITIONAL_VALIDATION);
  const checks = decorations.filter((decoration) => !conditions.includes(decoration));
  return {
    conditions: conditions.map(({ constraints }) => constraints[0] as Field['conditions'][number]),
    checks: checks.flatMap((decoration) => checksOf(shape, decoration)),
  };
}

function checksOf(shape: string, decoration: Metadata): Field['checks'] {
  const { type, propertyName: property, constraints, constraintCls, each, validateIf, groups } = decoration;
  const isPlain = type === ValidationTypes.CUSTOM_VALIDATION || type === ValidationTypes.IS_DEFINED;
  // Nested and grouped checks cannot be told here: nothing is allowed, and the library decides.
  if (!isPlain || validateIf !== undefined || (groups ?? []).length > 0) return [() => false];
  return getMetadataStorage()
    .getTargetValidatorConstraints(constraintCls)
    .map(({ instance }) => (object: object, value: unknown): boolean => {
      const asked: ValidationArguments = { targetName: shape, property, object, value, constraints };
      const holds = (part: unknown): boolean => instance.validate(part, asked) === true;
      return each && Array.isArray(value) ? value.every(holds) : holds(value);
    });
}
