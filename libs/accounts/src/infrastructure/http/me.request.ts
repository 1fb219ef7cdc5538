import { Example, Field, Shape } from '#http/openapi';
import { IsDefined, IsString, MaxLength } from 'class-validator';

/** Body of `POST /me/confirm`. */
@Shape('The password again.')
@Example('password', 'The password', { password: 'correct horse battery staple' })
export class ConfirmRequest {
  @Field('The password of the user.', { maxLength: 128 })
  @IsDefined()
  @IsString({ message: 'The `password` field must be a string.' })
  @MaxLength(128, { message: 'The `password` field must be text of at most 128 characters.' })
  password!: string;
}
