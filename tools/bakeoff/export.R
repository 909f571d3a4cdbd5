# SPDX-License-Identifier: MIT
# Writes data sets of Debian's R packages as CSV files: one column `class`, categories as they are, missing cells empty.
#   Rscript export.R FOLDER

folder <- commandArgs(trailingOnly = TRUE)[1]

# A data set of a package, by its name there.
fetch <- function(package, name) {
    found <- new.env()
    data(list = name, package = package, envir = found)
    as.data.frame(found[[name]])
}

# drop: columns that are identifiers, or that say the class in other words.
export <- function(set, package, name, class, drop = c()) {
    table <- fetch(package, name)
    table <- table[!is.na(table[[class]]), setdiff(names(table), drop)]
    features <- table[setdiff(names(table), class)]
    for (column in names(features)) {
        if (inherits(features[[column]], "Date") || is.ordered(features[[column]]))
            features[[column]] <- as.numeric(features[[column]])
        if (is.factor(features[[column]]) || is.logical(features[[column]]))
            features[[column]] <- as.character(features[[column]])
        # A category of digits would be read as a number.
        if (is.character(features[[column]])) {
            text <- features[[column]]
            features[[column]] <- ifelse(is.na(text), NA, paste0("is ", text))
        }
    }
    written <- cbind(features, class = as.character(table[[class]]))
    write.csv(written, file.path(folder, paste0(set, ".csv")), row.names = FALSE, na = "", quote = TRUE)
}

export("letter", "mlbench", "LetterRecognition", "lettr")
export("satellite", "mlbench", "Satellite", "classes")
export("shuttle", "mlbench", "Shuttle", "Class")
export("vehicle", "mlbench", "Vehicle", "Class")
export("vowel", "mlbench", "Vowel", "Class")
export("glass", "mlbench", "Glass", "Type")
export("dna", "mlbench", "DNA", "Class")
export("soybean", "mlbench", "Soybean", "Class")
export("pima", "mlbench", "PimaIndiansDiabetes", "diabetes")
export("ionosphere", "mlbench", "Ionosphere", "Class")
export("sonar", "mlbench", "Sonar", "Class")
export("votes", "mlbench", "HouseVotes84", "Class")
export("zoo", "mlbench", "Zoo", "type")
export("breast", "mlbench", "BreastCancer", "Class", c("Id"))
export("spam", "kernlab", "spam", "type")
export("income", "kernlab", "income", "INCOME")
export("caravan", "kernlab", "ticdata", "CARAVAN")
export("diamonds", "ggplot2", "diamonds", "cut")
export("storms", "dplyr", "storms", "status", c("name", "category"))
export("stops", "carData", "MplsStops", "problem", c("idNum", "date", "MDC", "neighborhood"))
export("hpc", "modeldata", "hpc_data", "class")
export("churn", "modeldata", "wa_churn", "churn")
export("calls", "modeldata", "mlc_churn", "churn")
export("lending", "modeldata", "lending_club", "Class")
export("credit", "modeldata", "credit_data", "Status")
export("cells", "modeldata", "cells", "class", c("case"))
export("attrition", "modeldata", "attrition", "Attrition")
export("developers", "modeldata", "stackoverflow", "Remote")
