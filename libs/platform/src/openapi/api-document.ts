import { INestApplication, Injectable } from '@nestjs/common';
import type { GeneratedDocument, Schema } from '../api-description/index.js';
import { apiDescriptions } from './described-by.js';
import { describedApi } from './descriptions.js';

/** The OpenAPI document of the HTTP API, generated from its controllers and classes at the first request. */
@Injectable()
export class ApiDocument {
  private made: Promise<Schema> | undefined;
  private make = (): Promise<Schema> => Promise.reject(new Error('There is no API to describe yet'));

  async document(): Promise<Schema> {
    this.made ??= this.make();
    try {
      return await this.made;
    } catch (error) {
      this.made = undefined;
      throw error;
    }
  }

  /** To be called when all routes are registered. */
  describe(app: INestApplication, publicUrl: string | undefined): void {
    this.make = async () => {
      const { DocumentBuilder, SwaggerModule } = await describedApi();
      const { describedDocument } = await import('../api-description/index.js');
      const generated = SwaggerModule.createDocument(app, new DocumentBuilder().build());
      return describedDocument(generated as unknown as GeneratedDocument, await apiDescriptions(), publicUrl);
    };
  }
}
