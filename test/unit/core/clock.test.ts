import { expect } from 'chai';
import { array, assert, asyncProperty, integer } from 'fast-check';
import type { Versioned } from '../../../core/kernel/record.ts';
import { newTeam } from '../../fixtures/world/team.ts';
import { HOUR } from '../../fixtures/world/world.ts';

type Timed = Versioned & { readonly id?: string };

describe('a clock that jumps', () => {
  it('never takes a record back in time', async () => {
    await assert(
      asyncProperty(array(integer({ min: -100, max: 100 }), { minLength: 12, maxLength: 12 }), async (jumps) => {
        const team = await newTeam();
        const { world, owner, at } = team;
        const latest = new Map<string, string>();
        const check = (kind: string, record: Timed): void => {
          const key = `${kind} ${record.id ?? ''}`;
          expect(record.updatedAt >= record.createdAt, `${key} was changed before it was made`).to.equal(true);
          expect(record.updatedAt >= (latest.get(key) ?? ''), `${key} went back in time`).to.equal(true);
          latest.set(key, record.updatedAt);
        };
        const page = await team.page('p');
        const board = await team.board('b');
        const taskId = await team.task(board.id, 't');
        const tag = await owner.tags.create({ ...at, boardId: board.id, name: 'g' });
        const comment = await owner.comments.create({ ...at, taskId, content: 'c' });
        for (const [i, hours] of jumps.entries()) {
          world.pass(hours * HOUR);
          const [name, even] = [`n${i}`, i % 2 === 0];
          check('workspace', await owner.workspaces.update({ ...at, name }));
          check('member', await owner.members.update({ ...at, memberId: team.member.memberId, position: name }));
          check('page', await owner.pages.update({ ...at, pageId: page, name }));
          const settings = even ? { inherit: false, defaultAccess: 100 as const } : { inherit: true };
          check('settings', await owner.access.changeSettings({ ...at, pageId: page, ...settings }));
          check('board', await owner.boards.update({ ...at, boardId: board.id, name }));
          check('status', await owner.statuses.update({ ...at, boardId: board.id, statusId: board.todo, name }));
          check('tag', await owner.tags.update({ ...at, boardId: board.id, tagId: tag.id, name }));
          check('task', await owner.tasks.update({ ...at, taskId, title: name }));
          const edited = { ...at, taskId, commentId: comment.id, content: name };
          check('comment', await owner.comments.update(edited));
          check('user', await owner.me.update({ phone: name }));
          check('quotas', await world.operator.quotas.update({ tasks: 1_000 + i }));
          const invitation = await owner.invitations.create({ ...at });
          world.pass(-HOUR);
          await owner.invitations.revoke({ ...at, invitationId: invitation.id });
          check('invitation', await owner.invitations.get({ ...at, invitationId: invitation.id }));
        }
      }),
      { numRuns: 15 },
    );
  });

  it('keeps the latest activity', async () => {
    const team = await newTeam();
    const active = async () => {
      await team.member.pages.list({ ...team.at });
      await team.world.activityNoted();
      const members = await team.owner.members.list({ ...team.at });
      return members.find(({ id }) => id === team.member.memberId)?.lastActivity ?? '';
    };
    team.world.pass(HOUR);
    const before = await active();
    team.world.pass(-HOUR);
    expect(await active()).to.equal(before);
  });
});
