/** For decorators of class-validator, which put the name of the field and the maximum into the text. */
export const mustBeString = { message: 'The `$property` field must be a string.' };
export const tooLong = { message: 'The `$property` field may have at most $constraint1 characters.' };
