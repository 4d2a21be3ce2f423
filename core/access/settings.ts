import type { PageAddress } from '../model/address.ts';
import type { Context } from '../ports/context.ts';
import { found, invalid } from '../kernel/errors.ts';
import type { AccessSettings, Page } from '../model/workspace/page.ts';
import { pageAt } from '../page/read.ts';
import { changesOf } from '../kernel/partial-update.ts';
import { changed, expectVersion, timestamp, type Versioned, type Expanding } from '../kernel/record.ts';
import { read, write } from '../write/transaction.ts';
import { withEntry } from './entries.ts';
import { FULL, VIEW, type Level } from '../model/access/level.ts';
import { pathUp } from './resolve.ts';
import { OWNER } from '../model/access/role.ts';
import { pageName, type PageName } from '../names/names.ts';
import { sees, viewerAfter, type Viewer } from './viewer.ts';

/** What `access.changeSettings` takes. */
export interface ChangeAccessSettings extends PageAddress {
  /** Whether the page inherits access from the page above. */
  readonly inherit?: boolean;
  /** The level of role Member on a page that does not inherit. Required with `inherit: false`, refused without. */
  readonly defaultAccess?: Level | null;
}

/** The access settings of a page, as a member reads them. */
export interface AccessSettingsView extends Versioned {
  /** Whether the page inherits access from the page above. */
  readonly inherit: boolean;
  /** The level of role Member on a page that does not inherit; null on one that inherits. */
  readonly defaultAccess: Level | null;
  /**
   * The nearest page above that does not inherit; null if there is none, if it is hidden, or if this page does not
   * inherit.
   */
  readonly inheritedFrom: string | null;
  /** Present if requested with `expand`. */
  readonly expanded?: SettingsNames;
}

/** The names of the ids in access settings. */
export interface SettingsNames {
  /** Null if `inheritedFrom` is. */
  readonly inheritedFrom?: PageName | null;
}

/** What can be expanded in access settings. */
export const SETTINGS_EXPANSIONS = ['inheritedFrom'] as const;
/** An id of access settings that `expand` resolves to a name. */
export type SettingsExpansion = (typeof SETTINGS_EXPANSIONS)[number];

/** What `access.settings` takes. */
export interface GetAccessSettings extends PageAddress, Expanding<SettingsExpansion> {}

export function getAccessSettings(context: Context, input: GetAccessSettings): Promise<AccessSettingsView> {
  return read(context, async (tx) => {
    const { viewer, page } = await pageAt(tx, context, input, VIEW);
    const settings = settingsView(viewer, page);
    if (input.expand === undefined || input.expand.length === 0) return settings;
    return { ...settings, expanded: { inheritedFrom: pageName(viewer, settings.inheritedFrom) } };
  });
}

/**
 * A caller who turns inheritance off and is not an owner gets an entry with full access: nobody locks themselves out.
 */
export function changeAccessSettings(context: Context, input: ChangeAccessSettings): Promise<AccessSettingsView> {
  return write(context, async (tx) => {
    const { viewer, page } = await pageAt(tx, context, input, FULL);
    expectVersion(context, page.settings);
    const shown = { ...settingsView(viewer, page), workspaceId: input.workspaceId };
    const changes = changesOf(input, shown, ['inherit', 'defaultAccess'], ['pageId']);
    const next = withSettings(page, settled(page.settings, changes), timestamp(context));
    const kept = next.settings.inherit ? next : withOwnEntry(viewer, next);
    if (kept === page) return settingsView(viewer, page);
    const structure = await tx.structures.change(viewer.structure, { pages: [kept] });
    return settingsView(viewerAfter(viewer, structure), found(structure.page(page.id)));
  });
}

type Chosen = Pick<AccessSettings, 'inherit' | 'defaultAccess'>;

function settled(now: AccessSettings, changes: Partial<Chosen>): Chosen {
  const inherit = changes.inherit ?? now.inherit;
  if (inherit) {
    if (changes.defaultAccess != null) throw invalid('/defaultAccess', 'is allowed only with inherit: false');
    return { inherit, defaultAccess: null };
  }
  const defaultAccess = changes.defaultAccess === undefined ? now.defaultAccess : changes.defaultAccess;
  if (defaultAccess === null) throw invalid('/defaultAccess', 'is required with inherit: false');
  return { inherit, defaultAccess };
}

function withSettings(page: Page, next: Chosen, at: string): Page {
  // `defaultAccess` is null exactly if the page inherits, so comparing it compares both.
  if (page.settings.defaultAccess === next.defaultAccess) return page;
  return { ...page, settings: changed(page.settings, next, at) };
}

function withOwnEntry(viewer: Viewer, page: Page): Page {
  const { id, role, membership } = viewer.member;
  // An entry of an earlier membership is only a cap.
  const hasEntry = page.entries[id]?.membership === membership;
  return role === OWNER || hasEntry ? page : withEntry(page, viewer.member, FULL);
}

function settingsView(viewer: Viewer, page: Page): AccessSettingsView {
  return { ...page.settings, inheritedFrom: inheritedFrom(viewer, page) };
}

function inheritedFrom(viewer: Viewer, page: Page): string | null {
  if (!page.settings.inherit) return null;
  for (const above of pathUp(viewer.structure, page.parentId)) {
    if (!above.settings.inherit) return sees(viewer, above.id) ? above.id : null;
  }
  return null;
}
