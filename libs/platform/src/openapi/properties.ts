import { ApiProperty, ApiPropertyOptional } from './descriptions.js';

/** Decorators for the fields of responses, named after the types of the contract. */

export const Id = (): PropertyDecorator => ApiProperty({ type: String, format: 'uuid' });

export const IdOrNull = (): PropertyDecorator => ApiProperty({ type: String, format: 'uuid', nullable: true });

export const Text = (): PropertyDecorator => ApiProperty({ type: String });

export const TextOrNull = (): PropertyDecorator => ApiProperty({ type: String, nullable: true });

export const OptionalText = (): PropertyDecorator => ApiPropertyOptional({ type: String });

export const Whole = (): PropertyDecorator => ApiProperty({ type: 'integer' });

export const OneOf = (...values: string[]): PropertyDecorator => ApiProperty({ type: String, enum: values });

export const OneOfOrNull = (...values: string[]): PropertyDecorator =>
  ApiProperty({ type: String, enum: [...values, null], nullable: true });

export const Flag = (): PropertyDecorator => ApiProperty({ type: Boolean });

export const Always = (value: true): PropertyDecorator => ApiProperty({ type: Boolean, enum: [value] });

const moment = '2026-11-30 20:39:59.54+00';
const momentPattern = String.raw`^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d(\.\d{1,6})?\+00$`;

/** A time in the format of docs/wire-contract.md section 1.4. */
export const Moment = (): PropertyDecorator => ApiProperty({ type: String, pattern: momentPattern, example: moment });

export const MomentOrNull = (): PropertyDecorator =>
  ApiProperty({ type: String, pattern: momentPattern, example: moment, nullable: true });

export const Texts = (): PropertyDecorator => ApiProperty({ type: [String] });

export const TextsOrNull = (): PropertyDecorator => ApiProperty({ type: [String], nullable: true });
