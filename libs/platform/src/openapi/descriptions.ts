import type { Type } from '@nestjs/common';

type Swagger = typeof import('@nestjs/swagger');
type Described = (target: object, key?: string | symbol, descriptor?: PropertyDescriptor) => void;

const descriptions: ((swagger: Swagger) => void)[] = [];

/**
 * Keeps the calls of @nestjs/swagger's decorators until the API document is first requested. Until then the 530 modules of the
 * library are not loaded, which with the document take 35 MB of an idle process and a tenth of the start time.
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

export const ApiConsumes = (mediaType: string): MethodDecorator => kept((swagger) => swagger.ApiConsumes(mediaType));

export const ApiExtraModels = (model: Type): MethodDecorator => kept((swagger) => swagger.ApiExtraModels(model));

export const ApiExcludeController = (): ClassDecorator => kept((swagger) => swagger.ApiExcludeController());

/** Loads the library and applies all kept decorators. */
export async function describedApi(): Promise<Swagger> {
  const swagger = await import('@nestjs/swagger');
  for (const describe of descriptions.splice(0)) describe(swagger);
  return swagger;
}
