import { Failure, usage } from '../io/failure.ts';
import { multiLine, type SafeText } from '../io/safe-text.ts';

/**
 * What `--template` prints of a record: a line made from a template in Liquid, whose variables are the fields. A
 * template reads no files.
 *
 * @throws a usage failure for what is no template, before anything is done
 */
export async function templateShape(text: string): Promise<(value: unknown) => SafeText> {
  const { Liquid } = await import('liquidjs');
  const liquid = new Liquid({ ownPropertyOnly: true, templates: {}, memoryLimit: 1e8, renderLimit: 10_000 });
  const template = (() => {
    try {
      return liquid.parse(text);
    } catch (error) {
      throw usage(`--template takes a template in Liquid, as in '{{ num }} {{ title }}'.`, firstLine(error));
    }
  })();
  return (value) => {
    try {
      return multiLine(`${String(liquid.renderSync(template, value as object))}\n`);
    } catch (error) {
      throw new Failure('failed', `The template cannot be filled in: ${firstLine(error)}`);
    }
  };
}

function firstLine(error: unknown): string {
  return (error as Error).message.split('\n')[0]!;
}
