import type { Type } from '@nestjs/common';

type Swagger = typeof import('@nestjs/swagger');
type Described = (target: object, key?: string | symbol, descriptor?: PropertyDescriptor) => void;

const descriptions: ((swagger: Swagger) => void)[] = [];

/**
 * What @nestjs/swagger is told of the API, kept until somebody asks for its description: until then the library's 530
 * modules are not loaded (35 MB of an idle process, with the document, and a tenth of a start's time).
 */
function kept(decorator: (swagger: Swagger) => unknown): Described {
  return (target, key, descriptor) => {
    descriptions.push((swagger) => (decorator(swagger) as Described)(target, key, descriptor));
  };
}

type Options<Name extends keyof Swagger> = Swagger[Name] extends (options: infer First) => unknown ? First : never;

export const ApiProperty = (options: Options<'ApiProperty'>): PropertyDecorator =>
  kept((swagger) => swagger.ApiProperty(options));

export const ApiPropertyOptional = (options: Options<'ApiPropertyOptional'>): PropertyDecorator =>
  kept((swagger) => swagger.ApiPropertyOptional(options));

export const ApiBody = (options: Options<'ApiBody'>): MethodDecorator => kept((swagger) => swagger.ApiBody(options));

export const ApiQuery = (options: Options<'ApiQuery'>): MethodDecorator => kept((swagger) => swagger.ApiQuery(options));

export const ApiResponse = (options: Options<'ApiResponse'>): MethodDecorator =>
  kept((swagger) => swagger.ApiResponse(options));

export const ApiExtraModels = (model: Type): MethodDecorator => kept((swagger) => swagger.ApiExtraModels(model));

export const ApiExcludeController = (): ClassDecorator => kept((swagger) => swagger.ApiExcludeController());

/** The library, told of everything that is loaded by now. */
export async function describedApi(): Promise<Swagger> {
  const swagger = await import('@nestjs/swagger');
  for (const describe of descriptions.splice(0)) describe(swagger);
  return swagger;
}
