/** Decides who may create an account. */
export abstract class SignUpPolicy {
  abstract mayCreate(email: string): Promise<boolean>;
}
