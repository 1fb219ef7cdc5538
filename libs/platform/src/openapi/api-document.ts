import { INestApplication, Injectable } from '@nestjs/common';
import type { GeneratedDocument, Schema } from '../api-description/index.js';
import { apiDescriptions } from './described-by.js';
import { describedApi } from './descriptions.js';

/** The description of the HTTP API, made from its own controllers and request classes when it is first asked for. */
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

  /** To be called when all routes are known. */
  describe(app: INestApplication, publicUrl: string | undefined): void {
    this.make = async () => {
      const { DocumentBuilder, SwaggerModule } = await describedApi();
      const { describedDocument } = await import('../api-description/index.js');
      const generated = SwaggerModule.createDocument(app, new DocumentBuilder().build());
      return describedDocument(generated as unknown as GeneratedDocument, await apiDescriptions(), publicUrl);
    };
  }
}
