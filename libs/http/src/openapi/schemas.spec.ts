import { describe, expect, it } from '@jest/globals';
import {
  Always,
  Field,
  Id,
  ListOf,
  Moment,
  OneOf,
  OneOfOrNull,
  OptionalText,
  Shape,
  Text,
  TextOrNull,
} from './fields.js';
import { exampleOf, Schemas } from './schemas.js';

@Shape('A part.')
class PartResponse {
  @Text('Its name.', 'wheel') name!: string;
}

class ThingFields {
  @Id('Its id.', '0193a1f6-1c2d-7e3f-8a4b-5c6d7e8f9a0b') id!: string;
  @TextOrNull('A note.') note!: string | null;
}

@Shape('A thing.', { note: 'What was noted.', id: { deprecated: true } })
class ThingResponse extends ThingFields {
  @Always('thing') object!: 'thing';
  @OneOf(['new', 'old'], 'Its age.', 'old') age!: string;
  @OneOfOrNull(['red'], 'Its colour.') colour!: string | null;
  @Field('Its main part.', { type: PartResponse, nullable: true }) main!: PartResponse | null;
  @ListOf(PartResponse, 'All parts.') parts!: PartResponse[];
  @Moment('When it was made.') made_at!: string;
  @OptionalText('Only some have it.') extra?: string;
}

describe('shapes', () => {
  const schemas = new Schemas();
  const reference = schemas.referenceTo(ThingResponse);
  const { ThingResponse: thing, PartResponse: part } = schemas.all() as Record<string, { properties: object }>;

  it('are schemas under the name of their class', () => {
    expect(reference).toEqual({ $ref: '#/components/schemas/ThingResponse' });
    expect(part).toEqual({
      type: 'object',
      description: 'A part.',
      required: ['name'],
      properties: { name: { type: 'string', description: 'Its name.' } },
    });
  });

  it('require all fields but the optional ones', () => {
    expect(thing).toMatchObject({
      required: ['id', 'note', 'object', 'age', 'colour', 'main', 'parts', 'made_at'],
    });
  });

  it('have the fields of the class that they extend, with changes of their own', () => {
    expect(thing?.properties).toMatchObject({
      id: { type: 'string', format: 'uuid', description: 'Its id.', deprecated: true },
      note: { type: ['string', 'null'], description: 'What was noted.' },
    });
  });

  it('write null as JSON Schema 2020-12 does', () => {
    expect(thing?.properties).toMatchObject({
      colour: { type: ['string', 'null'], enum: ['red', null] },
      main: { anyOf: [{ $ref: '#/components/schemas/PartResponse' }, { type: 'null' }], description: 'Its main part.' },
    });
  });

  it('give a list a schema of its own', () => {
    expect(schemas.referenceToListOf(PartResponse)).toEqual({ $ref: '#/components/schemas/PartListResponse' });
    expect(schemas.all().PartListResponse).toMatchObject({
      required: ['object', 'has_more', 'data'],
      properties: { data: { type: 'array', items: { $ref: '#/components/schemas/PartResponse' } } },
    });
  });

  it('make an example of the examples of their fields', () => {
    expect(exampleOf(ThingResponse)).toEqual({
      id: '0193a1f6-1c2d-7e3f-8a4b-5c6d7e8f9a0b',
      note: null,
      object: 'thing',
      age: 'old',
      colour: null,
      main: { name: 'wheel' },
      parts: [{ name: 'wheel' }],
      made_at: '2026-11-30 20:39:59.54+00',
    });
  });
});
