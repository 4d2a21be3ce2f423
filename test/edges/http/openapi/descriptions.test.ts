import { expect } from 'chai';
import { document } from './conform.ts';
import { documented } from './example-requests.ts';

interface Node {
  readonly $ref?: string;
  readonly description?: string;
  readonly properties?: Readonly<Record<string, Node>>;
  readonly items?: Node;
  readonly anyOf?: readonly Node[];
}

/** The fields in a schema of which nothing is said. */
function undescribed(schema: Node, at: string): string[] {
  const fields = Object.entries(schema.properties ?? {});
  const bare = ({ description = '', $ref }: Node) => description === '' && $ref === undefined;
  return [
    ...fields.filter(([, field]) => bare(field)).map(([name]) => `${at}.${name}`),
    ...fields.flatMap(([name, field]) => undescribed(field, `${at}.${name}`)),
    ...(schema.items === undefined ? [] : undescribed(schema.items, `${at}[]`)),
    ...(schema.anyOf ?? []).flatMap((one) => undescribed(one, at)),
  ];
}

describe('the descriptions of the OpenAPI document', () => {
  it('leave no operation and no parameter out', () => {
    const bare = documented.flatMap(({ operationId, description = '', parameters = [] }) => [
      ...(description === '' ? [operationId] : []),
      ...parameters.flatMap((one) => ('$ref' in one || one.description ? [] : [`${operationId} ${one.name}`])),
    ]);
    expect(bare).to.deep.equal([]);
  });

  it('leave no schema and no field out', () => {
    const { schemas } = document.components as unknown as { readonly schemas: Readonly<Record<string, Node>> };
    const bare = Object.entries(schemas).flatMap(([name, schema]) => [
      ...(schema.description === undefined ? [name] : []),
      ...undescribed(schema, name),
    ]);
    const inline = documented.flatMap(({ operationId, responses }) =>
      Object.values(responses).flatMap(({ content = {} }) =>
        Object.values(content).flatMap(({ schema = {} }) => undescribed(schema as Node, operationId)),
      ),
    );
    expect([...bare, ...inline]).to.deep.equal([]);
  });

  it('say at the head how to get a token, to page, to handle errors, to retry and to be conditional', () => {
    const { description } = (document as unknown as { readonly info: { readonly description: string } }).info;
    const headings = [...description.matchAll(/^## (.+)$/gm)].map(([, heading]) => heading);
    expect(headings).to.include.members(['How to get a token', 'Paging', 'Errors', 'Retries', 'Conditional requests']);
  });
});
