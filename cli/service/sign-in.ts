import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import type { JwtIssuer } from '../../adapters/http/index.ts';
import { EspalierError } from '../../core/kernel/errors.ts';
import type { Identity } from '../../core/ports/identity.ts';
import { Failure, usage } from '../io/failure.ts';
import { readAll, stopped, type Io } from '../io/io.ts';
import { isPipe, openPipe, refusePipe } from '../io/open-file.ts';
import { SETTING_NAMES, SETTINGS, type Settings } from '../config/settings.ts';
import { switchOf } from '../config/switch.ts';
import { listOf } from './protection-options.ts';

type GivenKeys = { readonly url: string } | { readonly file: string } | { readonly secret: string };

/** How users sign in besides API tokens. */
export interface SignIn {
  readonly identity: Identity;
  /** The secret shared with the issuer, if there is one. Its file is read once, as it may be a pipe. */
  readonly secret: string | undefined;
}

/** Undefined if none is configured. @throws a usage failure */
export async function signInOf(settings: Settings, io: Io): Promise<SignIn | undefined> {
  const given = SETTING_NAMES.filter((name) => name.startsWith('jwt')).flatMap((name) => settings.get(name) ?? []);
  if (given.length === 0) return undefined;
  const issuer = settings.value('jwtIssuer');
  const audience = listOf(settings, 'jwtAudience');
  if (issuer === undefined || audience === undefined) {
    throw usage(`${given[0]!.from} requires both ${SETTINGS.jwtIssuer.flag} and ${SETTINGS.jwtAudience.flag}.`);
  }
  const keys = await keysOf(settings, io);
  const algorithms = listOf(settings, 'jwtAlgorithms');
  const tolerance = settings.value('jwtClockTolerance');
  const { jwtIdentity } = await import('../../adapters/http/index.ts');
  const described: JwtIssuer = {
    issuer,
    audience,
    linkVerifiedEmail: switchOf(settings, 'jwtLinkVerifiedEmail'),
    ...(keys !== undefined && { keys }),
    ...(algorithms !== undefined && { algorithms }),
    ...(tolerance !== undefined && { clockTolerance: Number(tolerance) }),
  };
  try {
    const secret = keys !== undefined && 'secret' in keys ? keys.secret : undefined;
    return { identity: jwtIdentity(described), secret };
  } catch (error) {
    if (error instanceof EspalierError) throw usage(error.detail);
    throw error;
  }
}

/** Undefined: the keys named by the issuer's discovery document. */
async function keysOf(settings: Settings, io: Io): Promise<GivenKeys | undefined> {
  const from = (['jwtJwksUrl', 'jwtJwksFile', 'jwtSecret', 'jwtSecretFile'] as const).flatMap(
    (name) => settings.get(name) ?? [],
  );
  if (from.length > 1) throw usage(`${from.map((one) => one.from).join(' and ')} are given: use one source of keys.`);
  const url = settings.value('jwtJwksUrl');
  if (url !== undefined) return { url };
  const secret = settings.value('jwtSecret');
  if (secret !== undefined) return { secret };
  const [file, secretFile] = [settings.value('jwtJwksFile'), settings.value('jwtSecretFile')];
  if (secretFile !== undefined) return { secret: (await secretIn(secretFile, io)).replace(/\r?\n$/, '') };
  if (file === undefined) return undefined;
  const path = resolve(io.cwd, file);
  await refusePipe(path);
  if (!isKeySet(String(await read(path)))) throw usage(`${path} is not a JSON Web Key Set: {"keys": [...]}.`);
  return { file: path };
}

/** The secret in a file. It is read once, so the file may be a pipe. @throws a usage failure for bytes that are no text */
async function secretIn(file: string, io: Io): Promise<string> {
  const path = resolve(io.cwd, file);
  const pipe = (await isPipe(path)) ? await openPipe(io.cwd, path) : null;
  const text = readAll(pipe ?? [await read(path)]).catch(() => {
    throw usage(`${path} is not UTF-8 text: encode a secret of other bytes, such as with base64.`);
  });
  return Promise.race([text, stopped(io)]);
}

async function read(path: string): Promise<Uint8Array> {
  return readFile(path).catch((error: unknown) => {
    throw new Failure('failed', `${path} cannot be read: ${(error as Error).message}`);
  });
}

function isKeySet(text: string): boolean {
  try {
    return Array.isArray((JSON.parse(text) as { readonly keys?: unknown } | null)?.keys);
  } catch {
    return false;
  }
}
