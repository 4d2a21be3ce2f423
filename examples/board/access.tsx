import { useState } from 'preact/hooks';
import { messageOf, type Session, type Workspace } from './session.ts';

type Explanation = Awaited<ReturnType<Session['access']['explain']>>;

const LEVELS: Readonly<Record<number, string>> = { 0: 'none', 100: 'view', 200: 'comment', 300: 'edit', 400: 'full' };
const RULES: Readonly<Record<Explanation['steps'][number]['rule'], string>> = {
  owner: 'owners have everything',
  entry: 'set for you',
  cap: 'at most what was set in an earlier membership',
  default: 'takes nothing from above; its own default',
  silent: 'says nothing',
  base: 'your role in the workspace',
  none: 'no access at all',
};

interface AccessProps {
  readonly session: Session;
  readonly workspace: Workspace;
  readonly pageId: string;
}

/** Why one may do what one may: the steps of the service, in its order. */
export function AccessOf({ session, workspace, pageId }: AccessProps) {
  const [explanation, setExplanation] = useState<Explanation | null>(null);
  const [problem, setProblem] = useState('');
  const ask = () => {
    const asked = session.access.explain({ workspaceId: workspace.id, pageId, expand: ['page'] });
    asked.then(setExplanation, (error: unknown) => setProblem(messageOf(error)));
  };
  return (
    <details onToggle={ask}>
      <summary>My access, and why</summary>
      {problem !== '' && <p role="alert">{problem}</p>}
      {explanation && <p>It comes to: {LEVELS[explanation.access]}.</p>}
      <ol>
        {explanation?.steps.map(({ rule, access, expanded }, i) => (
          <li key={i} class="text">
            {expanded?.page?.name ?? workspace.name}: {RULES[rule]} {access !== null && `(${LEVELS[access]})`}
          </li>
        ))}
      </ol>
    </details>
  );
}
