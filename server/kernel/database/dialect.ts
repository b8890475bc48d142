/**
 * The two dialects of SQL (docs/decisions/0022). A statement is built once in terms of tables, columns and the expressions of expressions.ts;
 * the compiler of the database that runs it picks the text of its own dialect.
 */
import {
  ExpressionWrapper,
  PostgresQueryCompiler,
  type RawBuilder,
  type RawNode,
  sql,
  SqliteQueryCompiler,
} from 'kysely'

export type Dialect = 'sqlite' | 'postgres'

interface DialectNode extends RawNode {
  readonly inDialect: (dialect: Dialect) => RawBuilder<unknown>
}

const ofDialect = (node: RawNode, dialect: Dialect): RawNode =>
  'inDialect' in node ? ((node as DialectNode).inDialect(dialect).toOperationNode() as RawNode) : node

class CompilerForSqlite extends SqliteQueryCompiler {
  protected override visitRaw(node: RawNode): void {
    super.visitRaw(ofDialect(node, 'sqlite'))
  }
}

class CompilerForPostgres extends PostgresQueryCompiler {
  protected override visitRaw(node: RawNode): void {
    super.visitRaw(ofDialect(node, 'postgres'))
  }
}

export const compilerOf = (dialect: Dialect): SqliteQueryCompiler | PostgresQueryCompiler =>
  dialect === 'sqlite' ? new CompilerForSqlite() : new CompilerForPostgres()

/** An expression with a text for each dialect. @param inDialect called when a statement is compiled */
export function byDialect<T>(inDialect: (dialect: Dialect) => RawBuilder<unknown>): RawBuilder<T> {
  const node: DialectNode = { kind: 'RawNode', sqlFragments: [], parameters: [], inDialect }
  return sql<T>`${new ExpressionWrapper(node)}`
}
