import { DomainError, ValidationError } from '#kernel';

export class AliasTakenError extends ValidationError {
  constructor(alias: string) {
    super(`The alias \`${alias}\` is used by another template.`);
  }
}

export class TemplateNotPublishedError extends ValidationError {
  constructor() {
    super('The template has no published version yet. Publish it before you send with it.');
  }
}

export class UndefinedVariableError extends ValidationError {
  constructor(key: string) {
    super(`Variable '${key}' is used in the template but not defined in the variables list`);
  }
}

export class MissingVariablesError extends ValidationError {
  constructor(keys: readonly string[]) {
    const named = keys.map((key) => `'${key}'`).join(', ');
    super(
      keys.length === 1
        ? `Variable ${named} of the template has no value and no fallback. Give it one in \`template.variables\`.`
        : `Variables ${named} of the template have no value and no fallback. Give them one in \`template.variables\`.`,
    );
  }
}

export class TemplateTooLargeError extends DomainError {
  constructor(maxBytes: number) {
    super(
      'too_large',
      'validation_error',
      `The html and the text of a template together have more than ${maxBytes} bytes.`,
    );
  }
}
