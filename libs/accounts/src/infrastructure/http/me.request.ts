import { Example, Shape, Text } from '#http/openapi';

@Shape('The password again.')
@Example('password', 'The password', { password: 'correct horse battery staple' })
export class ConfirmRequest {
  @Text('The password of the user.', {
    maxLength: 128,
    boundsMessage: 'The `password` field must be text of at most 128 characters.',
  })
  password!: string;
}
