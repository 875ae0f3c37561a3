/** @jsxImportSource preact */
/** Log in, register, settings. */
import type { ComponentChildren, TargetedSubmitEvent } from 'preact';
import { useController, useLoading } from 'signalbox/preact';
import { startSession, UserResource } from '../conduit/api.ts';
import { go, to } from '../conduit/route.ts';
import { fieldsOf } from '../conduit/words.ts';
import { useUser } from './hooks.ts';
import { Problem } from './parts.tsx';

type Fields = Readonly<Record<string, string>>;

interface FormProps {
  readonly title: string;
  readonly children: ComponentChildren;
  readonly save: (fields: Fields) => Promise<unknown>;
}

/** A form whose errors are shown; afterwards the front page. */
function AccountForm({ title, children, save }: FormProps) {
  const [send, sending, error] = useLoading(async (fields: Fields) => {
    await save(fields);
    go(to.home);
  });
  const submit = (event: TargetedSubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    void send(fieldsOf(event.currentTarget));
  };
  return (
    <form class="page" aria-label={title} onSubmit={submit}>
      <h1>{title}</h1>
      <Problem error={error} />
      {children}
      <button type="submit" disabled={sending}>
        {title}
      </button>
    </form>
  );
}

export function Login() {
  const controller = useController();
  const logIn = async ({ email = '', password = '' }: Fields) =>
    startSession(controller, await controller.fetch(UserResource.logIn, { email, password }));
  return (
    <AccountForm title="Log in" save={logIn}>
      <Field name="email" label="Email" />
      <Field name="password" label="Password" />
    </AccountForm>
  );
}

export function Register() {
  const controller = useController();
  const register = async ({ username = '', email = '', password = '' }: Fields) => {
    const fields = { username, email, password };
    startSession(controller, await controller.fetch(UserResource.register, fields));
  };
  return (
    <AccountForm title="Register" save={register}>
      <Field name="username" label="Name" />
      <Field name="email" label="Email" />
      <Field name="password" label="Password" />
    </AccountForm>
  );
}

export function Settings() {
  const controller = useController();
  const user = useUser();
  const save = ({ email = '', bio = '', image = '', password = '' }: Fields) =>
    controller.fetch(UserResource.update, {
      email,
      bio,
      image,
      ...(password !== '' && { password }),
    });
  return (
    <AccountForm title="Save settings" save={save}>
      <Field name="image" label="Address of a picture" value={user?.image} />
      <Field name="bio" label="About you" value={user?.bio} />
      <Field name="email" label="Email" value={user?.email} />
      <Field name="password" label="New password" />
    </AccountForm>
  );
}

interface FieldProps {
  readonly name: string;
  readonly label: string;
  readonly value?: string | null | undefined;
}

function Field({ name, label, value }: FieldProps) {
  const isPassword = name === 'password';
  const input = {
    name,
    autocomplete: isPassword ? 'current-password' : name,
    defaultValue: value ?? '',
  };
  return (
    <label>
      {label}
      {isPassword ? <input type="password" {...input} /> : <input {...input} />}
    </label>
  );
}
