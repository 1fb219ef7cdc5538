import { INestApplication, Injectable, Type } from '@nestjs/common';
import { ModulesContainer } from '@nestjs/core';
import { documentOf } from './document.js';
import type { Schema } from './fields.js';

/** The OpenAPI document of the HTTP API, made from its controllers and shapes at the first request. */
@Injectable()
export class ApiDocument {
  private made: Schema | undefined;
  private make = (): Schema => {
    throw new Error('There is no API to describe yet');
  };

  document(): Schema {
    return (this.made ??= this.make());
  }

  /** To be called when all routes are registered. */
  describe(app: INestApplication, publicUrl: string | undefined): void {
    this.make = () => {
      const modules = [...app.get(ModulesContainer).values()];
      const controllers = modules.flatMap(({ controllers: ofModule }) =>
        [...ofModule.values()].map(({ metatype }) => metatype as Type),
      );
      return documentOf(controllers, publicUrl);
    };
  }
}
