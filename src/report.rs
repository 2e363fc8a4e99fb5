//! From the record to texts: mdtest's own on standard output, CSV, JSON, and what else there is to say. From records to
//! pages, tables and pictures.

pub mod chart;
pub mod comparison;
pub mod csv;
pub mod entries;
pub mod findings;
pub mod grid;
pub mod json;
pub mod judgement;
pub mod junit;
pub mod manual;
pub mod markdown;
pub mod notes;
pub mod output;
pub mod page;
pub mod plain;
pub mod scaling;
pub mod summary;
pub mod table_csv;
pub mod tables;
pub mod text;
pub mod verbose;
